# SPDX-License-Identifier: Apache-2.0
"""The table functions: a tensor is a table of index columns and a value column, a row is a slice.

With ``k`` index columns, a row holds a slice of ``shape[k:]``: an element, or arrays nested as deep as the slice.
Tensors are DataFrames, tables or names of tables. Results are lazy DataFrames of the type and the session of the
arguments. Options that are ``None`` have the default of SQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from ._dtypes import DTypeLike, dtype_name
from ._named_table import TableName
from ._statement import table_function
from .options import BadIndices, Clock, Columns, Duplicates, Element, Negative, Reduction
from .session import Frame


def gather_nd(
    params: Frame | TableName,
    indices: Frame | TableName,
    *,
    shape: Sequence[int] | None = None,
    batch_dims: int | None = None,
    bad_indices: BadIndices | Literal["fill"] | None = None,
    negative: Negative | None = None,
    fill: Element | None = None,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    dtype: DTypeLike | None = None,
    value_columns: Columns | None = None,
    found: str | None = None,
) -> Frame:
    """Returns the rows of ``indices``, each with the slice of ``params`` at its index columns.

    As ``tf.gather_nd`` and ONNX's ``GatherND``, with a row for each tuple of indices. Rows have no order.

    Args:
        params: a tensor of ``shape``, or a tensor table or a feature table, which may be named
        indices: index columns of ``m`` dimensions, ``k <= m <= rank``; other columns are passed through
        shape: the shape of ``params``, if it is not a property of the table
        batch_dims: the first so many index columns are coordinates of a batch; changes no result
        negative: default ``'error'``; with ``bad_indices='ignore'`` ``'oob'``, as in TensorFlow
        fill: the value for indices out of bounds
        index_columns: default: the columns of ``indices`` that ``params`` has as index columns, else the first
        value_column: default: the last of ``params``
        dtype: the dtype of elements, such as ``'float16'`` in a column of floats
        value_columns: the variables of a feature table; default: all
        found: the name of a last column, of booleans: whether the feature table has the key

    Returns:
        the columns of ``indices``, and one more: slices of ``shape[m:]``
    """
    options = {
        "shape": shape,
        "batch_dims": batch_dims,
        "bad_indices": bad_indices,
        "negative": negative,
        "fill": fill,
        "index_columns": index_columns,
        "value_column": value_column,
        "dtype": dtype_name(dtype),
        "value_columns": value_columns,
        "found": found,
    }
    return cast(Frame, table_function("gather_nd", {"params": params, "indices": indices}, options))


def gather_nd_as_of(
    params: TableName,
    indices: Frame | TableName,
    at: str,
    *,
    clock: Clock | None = None,
    expired: Literal["error", "null"] | None = None,
    bad_indices: Literal["error", "ignore"] | None = None,
    index_columns: Columns | None = None,
    value_columns: Columns | None = None,
    found: str | None = None,
) -> Frame:
    """Returns the rows of ``indices``, each with what ``params`` held for its key at its own time.

    Args:
        params: a feature table or a tensor table, or its name
        indices: a row for each key and time
        at: the column of ``indices`` with the time, a timestamp or a date
        clock: default ``'commit'``
        expired: for times whose snapshots are expired: an error (default), or NULL
        index_columns: default: the columns with the names of the key
        value_columns: the variables; default: all
        found: the name of a last column, of booleans: whether the feature table had the key at the time
    """
    options = {
        "at": at,
        "clock": clock,
        "expired": expired,
        "bad_indices": bad_indices,
        "index_columns": index_columns,
        "value_columns": value_columns,
        "found": found,
    }
    return cast(Frame, table_function("gather_nd_as_of", {"params": params, "indices": indices}, options))


def scatter_nd(
    updates: Frame | TableName,
    shape: Sequence[int],
    *,
    reduction: Reduction | None = None,
    order_by: Columns | None = None,
    bad_indices: BadIndices | None = None,
    negative: Negative | None = None,
    duplicates: Duplicates | None = None,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    dtype: DTypeLike | None = None,
    include_self: bool | None = None,
) -> Frame:
    """Returns a tensor of zeros after the updates, as ``tf.scatter_nd``.

    Args:
        updates: ``k`` index columns and a value column of slices of ``shape[k:]``
        shape: the shape of the result
        reduction: default ``'add'``
        order_by: columns that order the updates of one slice
        negative: default ``'error'``; with ``bad_indices='ignore'`` ``'oob'``, as in TensorFlow
        index_columns: default: all columns but the value and ``order_by``
        value_column: default: the last
        include_self: as PyTorch's: by default the zero of an element counts as its first value, so that ``'mul'``
            gives 0 and the mean of 4 and 6 is 10 / 3; False: the first update replaces it, and that mean is 5

    Returns:
        a row for each slice: ``prod(shape[:k])`` rows
    """
    options = {
        "shape": shape,
        "reduction": reduction,
        "order_by": order_by,
        "bad_indices": bad_indices,
        "negative": negative,
        "duplicates": duplicates,
        "index_columns": index_columns,
        "value_column": value_column,
        "dtype": dtype_name(dtype),
        "include_self": include_self,
    }
    return cast(Frame, table_function("scatter_nd", {"updates": updates}, options))


def _tensor_scatter(
    function: str,
    tensor: Frame | TableName,
    updates: Frame | TableName,
    shape: Sequence[int] | None,
    order_by: Columns | None,
    bad_indices: BadIndices | None,
    negative: Negative | None,
    duplicates: Duplicates | None,
    index_columns: Columns | None,
    value_column: str | None,
    dtype: DTypeLike | None,
    include_self: bool | None,
) -> Frame:
    options = {
        "shape": shape,
        "order_by": order_by,
        "bad_indices": bad_indices,
        "negative": negative,
        "duplicates": duplicates,
        "index_columns": index_columns,
        "value_column": value_column,
        "dtype": dtype_name(dtype),
        "include_self": include_self,
    }
    return cast(Frame, table_function(function, {"tensor": tensor, "updates": updates}, options))


def tensor_scatter_nd_update(
    tensor: Frame | TableName,
    updates: Frame | TableName,
    *,
    shape: Sequence[int] | None = None,
    order_by: Columns | None = None,
    bad_indices: BadIndices | None = None,
    negative: Negative | None = None,
    duplicates: Duplicates | None = None,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    dtype: DTypeLike | None = None,
    include_self: bool | None = None,
) -> Frame:
    """Returns all slices of ``tensor`` after updates that replace slices; of several the last stays.

    As ``tf.tensor_scatter_nd_update``.

    Args:
        tensor: a tensor of ``shape``, or a table or its name; slices that have no row are zeros
        updates: index columns, and a value column of slices
        shape: the shape of ``tensor``, if it is not a property of the table
        order_by: columns of ``updates`` that order the updates of one slice
        negative: default ``'error'``; with ``bad_indices='ignore'`` ``'oob'``, as in TensorFlow
        index_columns: default: the columns with the names that ``tensor`` has
        value_column: default: the last of ``tensor``
        dtype: the dtype of elements, such as ``'float16'`` in a column of floats
        include_self: as PyTorch's: False if the first update of an element replaces it, in functions that combine
            updates with elements; default True

    Returns:
        a row for each slice, in the columns of ``tensor``
    """
    return _tensor_scatter(
        "tensor_scatter_nd_update",
        tensor,
        updates,
        shape,
        order_by,
        bad_indices,
        negative,
        duplicates,
        index_columns,
        value_column,
        dtype,
        include_self,
    )


def tensor_scatter_nd_add(
    tensor: Frame | TableName,
    updates: Frame | TableName,
    *,
    shape: Sequence[int] | None = None,
    order_by: Columns | None = None,
    bad_indices: BadIndices | None = None,
    negative: Negative | None = None,
    duplicates: Duplicates | None = None,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    dtype: DTypeLike | None = None,
    include_self: bool | None = None,
) -> Frame:
    """Returns all slices of ``tensor`` after the updates, which are added.

    As ``tf.tensor_scatter_nd_add``. Sums of floats have the same bits at every number of partitions.

    Arguments and columns are those of :func:`tensor_scatter_nd_update`.
    """
    return _tensor_scatter(
        "tensor_scatter_nd_add",
        tensor,
        updates,
        shape,
        order_by,
        bad_indices,
        negative,
        duplicates,
        index_columns,
        value_column,
        dtype,
        include_self,
    )


def tensor_scatter_nd_sub(
    tensor: Frame | TableName,
    updates: Frame | TableName,
    *,
    shape: Sequence[int] | None = None,
    order_by: Columns | None = None,
    bad_indices: BadIndices | None = None,
    negative: Negative | None = None,
    duplicates: Duplicates | None = None,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    dtype: DTypeLike | None = None,
    include_self: bool | None = None,
) -> Frame:
    """Returns all slices of ``tensor`` after the updates, which are subtracted.

    As ``tf.tensor_scatter_nd_sub``.

    Arguments and columns are those of :func:`tensor_scatter_nd_update`.
    """
    return _tensor_scatter(
        "tensor_scatter_nd_sub",
        tensor,
        updates,
        shape,
        order_by,
        bad_indices,
        negative,
        duplicates,
        index_columns,
        value_column,
        dtype,
        include_self,
    )


def tensor_scatter_nd_mul(
    tensor: Frame | TableName,
    updates: Frame | TableName,
    *,
    shape: Sequence[int] | None = None,
    order_by: Columns | None = None,
    bad_indices: BadIndices | None = None,
    negative: Negative | None = None,
    duplicates: Duplicates | None = None,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    dtype: DTypeLike | None = None,
    include_self: bool | None = None,
) -> Frame:
    """Returns all slices of ``tensor`` after the updates, which slices are multiplied by.

    As ONNX's ``ScatterND`` with reduction ``'mul'``.

    Arguments and columns are those of :func:`tensor_scatter_nd_update`.
    """
    return _tensor_scatter(
        "tensor_scatter_nd_mul",
        tensor,
        updates,
        shape,
        order_by,
        bad_indices,
        negative,
        duplicates,
        index_columns,
        value_column,
        dtype,
        include_self,
    )


def tensor_scatter_nd_min(
    tensor: Frame | TableName,
    updates: Frame | TableName,
    *,
    shape: Sequence[int] | None = None,
    order_by: Columns | None = None,
    bad_indices: BadIndices | None = None,
    negative: Negative | None = None,
    duplicates: Duplicates | None = None,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    dtype: DTypeLike | None = None,
    include_self: bool | None = None,
) -> Frame:
    """Returns all slices of ``tensor`` after the updates: of each element the least stays.

    As ``tf.tensor_scatter_nd_min``, but NaN if either is NaN: TensorFlow keeps the element on a CPU.

    Arguments and columns are those of :func:`tensor_scatter_nd_update`.
    """
    return _tensor_scatter(
        "tensor_scatter_nd_min",
        tensor,
        updates,
        shape,
        order_by,
        bad_indices,
        negative,
        duplicates,
        index_columns,
        value_column,
        dtype,
        include_self,
    )


def tensor_scatter_nd_max(
    tensor: Frame | TableName,
    updates: Frame | TableName,
    *,
    shape: Sequence[int] | None = None,
    order_by: Columns | None = None,
    bad_indices: BadIndices | None = None,
    negative: Negative | None = None,
    duplicates: Duplicates | None = None,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    dtype: DTypeLike | None = None,
    include_self: bool | None = None,
) -> Frame:
    """Returns all slices of ``tensor`` after the updates: of each element the greatest stays.

    As ``tf.tensor_scatter_nd_max``, but NaN if either is NaN: TensorFlow keeps the element on a CPU.

    Arguments and columns are those of :func:`tensor_scatter_nd_update`.
    """
    return _tensor_scatter(
        "tensor_scatter_nd_max",
        tensor,
        updates,
        shape,
        order_by,
        bad_indices,
        negative,
        duplicates,
        index_columns,
        value_column,
        dtype,
        include_self,
    )
