# SPDX-License-Identifier: Apache-2.0
"""Tensors in Iceberg tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

import numpy as np
import pyarrow as pa

from . import inspection
from ._dtypes import (
    Array,
    DTypeLike,
    array_dtype,
    complete,
    converted,
    dtype_name,
    exact,
    int64_indices,
    numpy_slices,
)
from ._local import local_frame
from ._named_table import TableName
from ._names import quoted
from ._statement import Statement, identifier
from ._stored_table import StoredTable
from .arrays import dense, from_numpy
from .functions import gather_nd
from .options import BadIndices, Columns, Duplicates, Element, IfChanged, Layout, Negative, Reduction
from .results import TableCommit, TensorInfo, result
from .session import DataFrameLike, Frame, SparkSessionLike, active_session

# columns of the indices of table[keys]; no table that a user makes has these
_ROW = "sparknd_row"
_INDEX = "sparknd_index_"
_VALUE = "sparknd_value"


class TensorTable(StoredTable):
    """A tensor of shape ``[d0, ..., dn]`` in an Iceberg table.

    The first ``k`` dimensions are index columns; a row holds a slice of ``shape[k:]``. Rows that were never written
    are not there, and hold the fill value.
    """

    @classmethod
    def create(
        cls,
        name: str,
        dtype: DTypeLike,
        shape: Sequence[int],
        *,
        layout: Layout | None = None,
        index_columns: Columns | None = None,
        value_columns: Columns | None = None,
        index_depth: int | None = None,
        fill: Element | None = None,
        rows_per_block: int | None = None,
        expected_rows: int | None = None,
        properties: Mapping[str, str] | None = None,
        feature_fills: Mapping[str, str] | None = None,
        spark: SparkSessionLike | None = None,
    ) -> TensorTable:
        """Creates the table of a tensor whose elements all have the fill value.

        Args:
            name: in an Iceberg catalog, as SQL reads it
            dtype: SparkND's name, such as ``'bfloat16'``, or a dtype of NumPy
            layout: default ``'array'``
            index_columns: outermost dimension first; default ``i0``
            value_columns: default ``value``; with layout ``'columns'`` one for each element of a slice
            index_depth: number of index columns ``i0``, ``i1``, ...; default 1
            fill: the value of rows that were never written; default 0, False or ``''``
            rows_per_block: entries of the first dimension in each Iceberg partition
            expected_rows: for the choice of the block size
            feature_fills: with layout ``'columns'``: fill values of single columns, as text
            spark: default: the active session
        """
        table = cls(name, spark=spark)
        table._call(
            "create_tensor",
            {
                "dtype": dtype_name(dtype),
                "shape": shape,
                "layout": layout,
                "index_columns": index_columns,
                "value_columns": value_columns,
                "index_depth": index_depth,
                "fill": fill,
                "rows_per_block": rows_per_block,
                "expected_rows": expected_rows,
                "properties": properties,
                "feature_fills": feature_fills,
            },
        )
        return table

    @classmethod
    def adopt(
        cls,
        name: str,
        dtype: DTypeLike,
        shape: Sequence[int],
        *,
        layout: Layout | None = None,
        index_columns: Columns | None = None,
        value_columns: Columns | None = None,
        index_depth: int | None = None,
        fill: Element | None = None,
        properties: Mapping[str, str] | None = None,
        feature_fills: Mapping[str, str] | None = None,
        spark: SparkSessionLike | None = None,
    ) -> TensorTable:
        """Adopts an existing Iceberg table as a tensor table, by its properties only.

        Arguments are those of :meth:`create`.
        """
        table = cls(name, spark=spark)
        table._call(
            "adopt_tensor",
            {
                "dtype": dtype_name(dtype),
                "shape": shape,
                "layout": layout,
                "index_columns": index_columns,
                "value_columns": value_columns,
                "index_depth": index_depth,
                "fill": fill,
                "properties": properties,
                "feature_fills": feature_fills,
            },
        )
        return table

    @classmethod
    def from_numpy(
        cls,
        name: str,
        array: Any,
        *,
        layout: Layout | None = None,
        index_columns: Columns | None = None,
        value_columns: Columns | None = None,
        index_depth: int | None = None,
        fill: Element | None = None,
        rows_per_block: int | None = None,
        properties: Mapping[str, str] | None = None,
        dtype: DTypeLike | None = None,
        spark: SparkSessionLike | None = None,
    ) -> TensorTable:
        """Creates the table of a tensor with the shape, dtype and elements of an array.

        Arguments are those of :meth:`create`. The array is checked first, as :func:`sparknd.from_numpy` does, and sent
        by this process; if that fails, the table is dropped again.

        Args:
            dtype: to which elements are converted; default: the array's
        """
        converts = dtype_name(dtype)
        array = complete(array) if converts is None else converted(exact(array, converts), converts)
        spark = spark if spark is not None else active_session()
        rows = from_numpy(array, index_columns=index_columns, index_depth=index_depth, value_column=_VALUE, spark=spark)
        table = cls.create(
            name,
            converts or array_dtype(array.dtype),
            array.shape,
            layout=layout,
            index_columns=index_columns,
            value_columns=value_columns,
            index_depth=index_depth,
            fill=fill,
            rows_per_block=rows_per_block,
            properties=properties,
            spark=spark,
        )
        try:
            table.scatter(rows, reduction="none", value_column=_VALUE)
        except BaseException as e:
            table._drop_after(e)
            raise
        return table

    def _drop_after(self, error: BaseException) -> None:
        try:
            Statement().run(f"DROP TABLE {identifier(self.name)} PURGE", self._spark)
        except Exception as e:
            # Python 3.10 has no notes
            add_note = getattr(error, "add_note", lambda note: None)
            add_note(f"{self.name} was created, and could not be dropped again: {e}")

    def info(self) -> TensorInfo:
        """Describes the tensor and counts its rows, blocks, files and bytes.

        Raises:
            TypeError: if it is a feature table
        """
        found = inspection.info(self)
        if not isinstance(found, TensorInfo):
            raise TypeError(f"{self.name} is a feature table: open it as a FeatureTable")
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape; runs ``info``."""
        return self.info().shape

    @property
    def dtype(self) -> str:
        """SparkND's name of the dtype; runs ``info``."""
        return self.info().dtype

    def scatter(
        self,
        updates: DataFrameLike,
        *,
        reduction: Reduction | None = None,
        batch_id: str | None = None,
        order_by: Columns | None = None,
        index_columns: Columns | None = None,
        value_column: str | None = None,
        bad_indices: BadIndices | None = None,
        negative: Negative | None = None,
        duplicates: Duplicates | None = None,
        if_changed: IfChanged | None = None,
        include_self: bool | None = None,
    ) -> TableCommit:
        """Applies updates in one commit.

        Args:
            updates: ``m`` index columns, ``k <= m <= rank``, and a value column of slices of ``shape[m:]``
            reduction: default ``'add'``; ``'none'`` replaces
            batch_id: a batch of one id is applied once, however often it is sent
            order_by: columns that order the updates of one slice
            index_columns: default: the columns with the tensor's names
            value_column: default: the column with the tensor's name, else the only other column
            negative: default ``'error'``; with ``bad_indices='ignore'`` ``'oob'``
            if_changed: default ``'redo'``
            include_self: as PyTorch's: by default an element, or the fill value, counts as the first value of the
                reduction; False: the first update of the batch replaces it
        """
        options = {
            "reduction": reduction,
            "batch_id": batch_id,
            "order_by": order_by,
            "index_columns": index_columns,
            "value_column": value_column,
            "bad_indices": bad_indices,
            "negative": negative,
            "duplicates": duplicates,
            "if_changed": if_changed,
            "include_self": include_self,
        }
        return result(TableCommit, self._call("scatter_nd", options, {"updates": updates})[0])

    def gather(
        self,
        indices: Frame | TableName,
        *,
        bad_indices: BadIndices | Literal["fill"] | None = None,
        negative: Negative | None = None,
        fill: Element | None = None,
        index_columns: Columns | None = None,
    ) -> Frame:
        """Returns the rows of ``indices``, each with its slice; only blocks that they name are read.

        Arguments are those of :func:`sparknd.gather_nd`.
        """
        return gather_nd(
            self,
            indices,
            bad_indices=bad_indices,
            negative=negative,
            fill=fill,
            index_columns=index_columns,
        )

    def to_numpy(self) -> Array:
        """Returns the tensor as a dense array of its shape and dtype, which has to fit into memory.

        bfloat16 becomes float32, and strings have NumPy's dtype ``object``.
        """
        info = self.info()
        table = gather_nd(self.name, self._all_indices(info), index_columns=info.index_columns).toArrow()
        return dense(table, info.shape, info.index_columns, None, None, info.dtype)

    def _all_indices(self, info: TensorInfo) -> DataFrameLike:
        outer = info.shape[: len(info.index_columns)]
        columns = []
        for axis, name in enumerate(info.index_columns):
            stride = math.prod(outer[axis + 1 :])
            columns.append(f"id DIV {max(1, stride)} % {max(1, outer[axis])} AS {identifier(quoted(name))}")
        text = f"SELECT {', '.join(columns)} FROM range({math.prod(outer)})"
        return cast(DataFrameLike, Statement().run(text, self._spark))

    def __getitem__(self, keys: Any) -> Any:
        """Returns elements as NumPy's advanced indexing of integers does.

        ``table[5]`` is a slice, ``table[[5, 2, 5]]`` an array of three, ``table[2:4]`` those of a range.
        ``table[rows, columns]`` has an array for each of the first ``m`` dimensions, ``k <= m <= rank``, which are
        broadcast. Negative indices count from the end. The keys are sent by this process.

        Returns:
            an array of ``[*keys, *shape[m:]]``, or an element

        Raises:
            IndexError: if there are fewer or more indices than the tensor takes, or one is out of bounds
            TypeError: if they are not integers, or the table is a feature table
        """
        given = [] if isinstance(keys, slice) else _index_arrays(keys)
        info = self.info()
        arrays = [_range(keys, info.shape[0])] if isinstance(keys, slice) else given
        if not len(info.index_columns) <= len(arrays) <= len(info.shape):
            raise IndexError(
                f"{len(arrays)} indices for a tensor of shape {list(info.shape)} whose index columns are "
                f"{list(info.index_columns)}: give {len(info.index_columns)} to {len(info.shape)}"
            )
        for axis, (array, size) in enumerate(zip(arrays, info.shape, strict=False)):
            _require_within(array, axis, size)
        broadcast = np.broadcast_arrays(*arrays)
        slice_shape = info.shape[len(arrays) :]
        flat = [each.reshape(-1) for each in broadcast]
        columns = {_ROW: np.arange(flat[0].size)} | {f"{_INDEX}{axis}": each for axis, each in enumerate(flat)}
        indices = local_frame(self._spark, pa.table(columns))
        gathered = self.gather(indices, negative="wrap", index_columns=list(columns)[1:]).toArrow().sort_by(_ROW)
        slices = numpy_slices(gathered.column(gathered.num_columns - 1), slice_shape, info.dtype)
        found = slices.reshape((*broadcast[0].shape, *slice_shape))
        return found if found.ndim else found[()]


def _require_within(array: Array, axis: int, size: int) -> None:
    wrong = array[(array < -size) | (array >= size)]
    if wrong.size:
        raise IndexError(f"index {wrong.flat[0]} is out of bounds for axis {axis} with size {size}")


def _range(keys: slice, size: int) -> Array:
    return np.arange(*keys.indices(size), dtype=np.int64)


def _index_arrays(keys: Any) -> list[Array]:
    return [_index_array(each) for each in (keys if isinstance(keys, tuple) else (keys,))]


def _index_array(key: Any) -> Array:
    if isinstance(key, slice) or key is None or key is Ellipsis:
        raise TypeError(f"{key!r} among several indices: give integers or arrays of integers")
    array = complete(key)
    if array.size == 0 and not isinstance(key, np.ndarray):
        return array.astype(np.int64)
    return int64_indices(array)
