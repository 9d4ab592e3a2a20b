# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays and DataFrames, through Arrow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

from ._dtypes import (
    Array,
    DTypeLike,
    arrow_slices,
    complete,
    converted,
    dtype_name,
    exact,
    fill_array,
    int64_indices,
    numpy_slices,
)
from ._local import local_frame
from .options import Columns, Element, column_names
from .session import DataFrameLike, SparkSessionLike, active_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def from_numpy(
    array: Any,
    indices: Any = None,
    *,
    index_columns: Columns | None = None,
    index_depth: int | None = None,
    value_column: str = "value",
    dtype: DTypeLike | None = None,
    spark: SparkSessionLike | None = None,
) -> DataFrame:
    """Makes a DataFrame of an array: a row is a slice.

    Without ``indices`` it is a tensor: an array of shape ``[d0, ..., dn]`` becomes ``d0 * ... * dk-1`` rows, in
    row-major order, each with the ``k`` indices of its slice and the slice of shape ``[dk, ..., dn]``.

    With ``indices`` of shape ``[rows, k]``, or ``[rows]`` for one index column, it is updates: an array of shape
    ``[rows, *slice]``, as ``tf.scatter_nd`` takes them.

    Elements have the type of SQL, or the next wider one: ``smallint`` for uint8, ``float`` for float16. Name the dtype
    in the call that takes the DataFrame, ``dtype='uint8'``, to compute in it.

    Args:
        index_columns: default: ``i0``, ``i1``, ...
        index_depth: ``k`` of a tensor; default: the number of ``index_columns``, or 1
        dtype: to which elements are converted; default: the array's
        spark: default: the active session

    Raises:
        ValueError: if the shapes do not go together, two columns have one name, an element is masked or NULL, or it is
            not a value of an integer ``dtype``, or too large for a floating-point one
        TypeError: if elements are not of the dtype's kind, such as a number among strings
    """
    converts = dtype_name(dtype)
    array = complete(array) if converts is None else converted(exact(array, converts), converts)
    names = column_names(index_columns)
    if indices is None:
        depth = (len(names) or 1) if index_depth is None else index_depth
        tuples, slices = _enumerated(array, depth)
    else:
        tuples, slices = _paired(complete(indices), array)
        depth = tuples.shape[1] if index_depth is None else index_depth
    names = names or [f"i{axis}" for axis in range(depth)]
    if len(names) != depth or tuples.shape[1] != depth:
        raise ValueError(
            f"index_columns {names}, index_depth {index_depth} and {tuples.shape[1]} indices do not go together"
        )
    if len(set(names)) < len(names):
        raise ValueError(f"index_columns {names} name one column twice")
    columns = {name: pa.array(tuples[:, axis]) for axis, name in enumerate(names)}
    if value_column in columns:
        raise ValueError(f"value_column {value_column!r} is one of index_columns {names}")
    table = pa.table({**columns, value_column: arrow_slices(slices)})
    return cast("DataFrame", local_frame(spark if spark is not None else active_session(), table))


def _enumerated(array: Array, depth: int) -> tuple[Array, Array]:
    if not 1 <= depth <= array.ndim:
        raise ValueError(f"index_depth {depth} is out of bounds for an array of shape {list(array.shape)}")
    outer = array.shape[:depth]
    rows = math.prod(outer)
    tuples = np.stack(np.unravel_index(np.arange(rows), outer), axis=1) if rows else np.empty((0, depth))
    return tuples.astype(np.int64), array.reshape((rows, *array.shape[depth:]))


def _paired(indices: Array, array: Array) -> tuple[Array, Array]:
    tuples = indices.reshape(-1, 1) if indices.ndim == 1 else indices
    if tuples.ndim != 2 or array.ndim < 1 or len(tuples) != len(array):
        raise ValueError(f"indices of shape {list(indices.shape)} do not go with updates of shape {list(array.shape)}")
    return int64_indices(tuples) if tuples.size else tuples.astype(np.int64), array


def to_numpy(
    df: DataFrameLike,
    shape: Sequence[int],
    *,
    index_columns: Columns | None = None,
    value_column: str | None = None,
    fill: Element | None = None,
    dtype: DTypeLike | None = None,
) -> Array:
    """Returns a tensor in a DataFrame as a dense array of ``shape``, which has to fit into memory.

    Args:
        df: rows of slices; those that have no row are ``fill``
        index_columns: default: all columns but the value
        value_column: default: the last
        fill: a value of the array's dtype; default: 0, False or ``''``, ``NaT`` of times
        dtype: default: that of the column's type; arrays of strings have NumPy's dtype ``object``

    Raises:
        ValueError: if an index is NULL, out of bounds or no integer, if two rows have one index, if a slice has another
            shape or a NULL, or if ``fill`` or an element is not a value of the dtype
    """
    return dense(df.toArrow(), shape, index_columns, value_column, fill, dtype_name(dtype))


def dense(
    table: pa.Table,
    shape: Sequence[int],
    index_columns: Columns | None,
    value_column: str | None,
    fill: Element | None,
    dtype: str | None,
) -> Array:
    """The array of a table of slices."""
    value = value_column or table.column_names[-1]
    others = [name for name in table.column_names if name != value]
    names = others if index_columns is None else column_names(index_columns)
    if not 1 <= len(names) <= len(shape):
        raise ValueError(f"index columns {names} do not go with shape {list(shape)}")
    outer, inner = tuple(shape[: len(names)]), tuple(shape[len(names) :])
    slices = numpy_slices(table.column(value), inner, dtype)
    offsets = _offsets(table.select(names), outer, shape)
    filled = fill_array(fill, table.column(value).type, slices.dtype)
    array = np.full((math.prod(outer), *inner), filled, dtype=slices.dtype)
    array[offsets] = slices
    return array.reshape(tuple(shape))


def _offsets(indices: pa.Table, outer: tuple[int, ...], shape: Sequence[int]) -> Array:
    for name in indices.column_names:
        if not pa.types.is_integer(indices.column(name).type):
            raise ValueError(f"index column {name} is {indices.column(name).type}: indices must be integers, cast it")
        if indices.column(name).null_count:
            raise ValueError(f"index column {name} has a NULL")
    columns = [np.asarray(column.to_numpy()) for column in indices.columns]
    for axis, column in enumerate(columns):
        wrong = np.flatnonzero((column < 0) | (column >= outer[axis]))
        if wrong.size:
            found = [int(each[wrong[0]]) for each in columns]
            raise ValueError(f"index {found} in row {wrong[0]} is out of bounds for shape {list(shape)}")
    if not len(indices):
        return np.empty(0, dtype=np.int64)
    offsets: Array = np.ravel_multi_index(columns, outer)
    unique, counts = np.unique(offsets, return_counts=True)
    if len(unique) < len(offsets):
        first = int(np.flatnonzero(counts > 1)[0])
        twice = [int(each) for each in np.unravel_index(unique[first], outer)]
        raise ValueError(f"index {twice} has {counts[first]} rows, a tensor has one")
    return offsets
