# SPDX-License-Identifier: Apache-2.0
"""Elements: dtypes by SparkND's names, NumPy's arrays and Arrow's columns."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Any, TypeAlias, Union

import numpy as np
import pyarrow as pa

DTypeLike: TypeAlias = Union[str, type, "np.dtype[Any]"]
"""A dtype by SparkND's name, such as ``'bfloat16'`` or ``'string'``, or as NumPy takes it."""

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

_UINT64 = pa.decimal128(20, 0)

# SQL has no small, unsigned or half types: elements have the next wider type
_ARROW: dict[str, pa.DataType] = {
    "bool": pa.bool_(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "uint8": pa.int16(),
    "uint16": pa.int32(),
    "uint32": pa.int64(),
    "uint64": _UINT64,
    "float16": pa.float32(),
    "bfloat16": pa.float32(),
    "float32": pa.float32(),
    "float64": pa.float64(),
    "complex64": pa.struct([("re", pa.float32()), ("im", pa.float32())]),
    "complex128": pa.struct([("re", pa.float64()), ("im", pa.float64())]),
    "string": pa.string(),
}

_WIDER = {"uint8": "int16", "uint16": "int32", "uint32": "int64", "float16": "float32", "bfloat16": "float32"}

# an offset of an Arrow list has 32 bits
_MOST_ELEMENTS = 2**31 - 1


def complete(array: Any) -> Array:
    """Returns an array of what was given; strings of lists are objects.

    Raises:
        ValueError: if it has masked elements, whose data NumPy would take, or NULLs, of which it would make NaN
    """
    has_text = False
    if isinstance(array, (list, tuple)):
        for types, elements in _levels(array):
            _require_elements(elements)
            has_text = has_text or any(issubclass(each, str) for each in types)
    else:
        _require_elements([array])
    if has_text:
        return _objects(array)
    given = np.asarray(array)
    return _objects(array) if given.dtype.kind in "UT" and given.ndim and not hasattr(array, "dtype") else given


def _objects(array: Any) -> Array:
    """NumPy's own strings are all as long as the longest, lose NULs at the end, and are made of numbers beside them."""
    given = np.asarray(array, dtype=object)
    if any(issubclass(each, (list, tuple, np.ndarray)) for each in set(map(type, given.reshape(-1).tolist()))):
        raise ValueError("lists of strings have no one shape: give all lists of a level the same length")
    return given


def exact(array: Any, dtype: str) -> Array:
    """Returns an array of what was given, for :func:`converted`: NumPy makes floats of a list of large integers."""
    given = complete(array)
    if given.dtype.kind == "O" and dtype != "string":
        return np.asarray(array)  # text of a list is told from objects by NumPy's dtype
    if given.dtype.kind == "f" and not hasattr(array, "dtype") and numpy_dtype(dtype).kind in "iu":
        return np.asarray(array, dtype=object) if (np.isfinite(given) & (np.abs(given) >= 2**53)).any() else given
    return given


_SCALARS = (int, float, complex, str, bytes, np.generic, type(None))


def _levels(array: Any) -> Iterator[tuple[set[type], list[Any]]]:
    """The types in each level of nested lists, and its elements that are neither lists nor scalars."""
    lists = [array]
    while lists:
        # by type: a list may have millions of numbers
        types = set(map(type, chain.from_iterable(lists)))
        others = {each for each in types if not issubclass(each, _SCALARS)}
        elements = [each for each in chain.from_iterable(lists) if type(each) in others] if others else []
        yield types, [each for each in elements if not isinstance(each, (list, tuple))]
        lists = [each for each in elements if isinstance(each, (list, tuple))]


def _require_elements(arrays: list[Any]) -> None:
    if any(np.ma.is_masked(each) for each in arrays):
        raise ValueError("elements of a masked array have no value where it is masked: fill them, as with filled(0)")
    for each in arrays:
        if _has_null(each):
            kind = type(each).__name__
            raise ValueError(f"elements of an array of type {kind} are NULL: fill them, as with fill_null or fillna")


def _has_null(array: Any) -> bool:
    if isinstance(array, (pa.Table, pa.RecordBatch)):
        return any(_has_null(column) for column in array.columns)
    if isinstance(array, pa.ChunkedArray):
        return any(_has_null(chunk) for chunk in array.chunks)
    if isinstance(array, pa.Array):
        return bool(array.null_count) or (pa.types.is_fixed_size_list(array.type) and _has_null(array.flatten()))
    if hasattr(type(array), "to_arrow"):  # polars, which makes NaN of NULL, and floats of the integers beside it
        return _has_null(array.to_arrow())
    if hasattr(array, "dtypes") and hasattr(array, "iloc") and not hasattr(array, "dtype"):  # a DataFrame of pandas
        return any(_has_null(array.iloc[:, column]) for column in range(array.shape[1]))
    # pandas has dtypes with NULL beside those of NumPy
    is_nullable = hasattr(array, "isna") and not isinstance(getattr(array, "dtype", np.dtype(object)), np.dtype)
    return is_nullable and bool(np.any(array.isna()))


def dtype_name(dtype: DTypeLike | None) -> str | None:
    """Returns SparkND's name of a dtype, also for other names that NumPy has for it, such as ``'f4'`` and ``'double'``.

    Names that neither knows are left as they are, for SQL to check.

    Raises:
        TypeError: if SparkND has no such dtype of NumPy
    """
    if dtype is None or (isinstance(dtype, str) and (dtype in _ARROW or not _is_known(dtype))):
        return dtype
    return array_dtype(np.dtype(dtype))


def _is_known(name: str) -> bool:
    try:
        np.dtype(name)
    except (TypeError, ValueError, SyntaxError):  # NumPy parses lists of dtypes as Python
        return False
    return True


def array_dtype(dtype: np.dtype[Any]) -> str:
    """Returns SparkND's name of the dtype of an array.

    Raises:
        TypeError: if SparkND has no such dtype
    """
    name = "string" if dtype.kind in "UTO" else str(dtype.name)
    if name in _ARROW:
        return name
    raise TypeError(f"{dtype} is not a dtype of tensors: these are {', '.join(_ARROW)}")


def numpy_dtype(name: str) -> np.dtype[Any]:
    """Returns NumPy's dtype of elements: float32 for bfloat16, which NumPy lacks, and object for strings.

    Raises:
        TypeError: if SparkND has no such dtype
    """
    if name not in _ARROW:
        raise TypeError(f"dtype {name!r} is unknown: use one of {', '.join(_ARROW)}")
    if name == "string":
        return np.dtype(object)
    return np.dtype("float32" if name == "bfloat16" else name)


def arrow_slices(array: Array) -> pa.Array:
    """Returns the slices ``array[i]`` as elements, or lists nested as deep as a slice."""
    if array.size > _MOST_ELEMENTS:
        raise ValueError(
            f"an array of shape {list(array.shape)} has {array.size} elements, the limit is {_MOST_ELEMENTS}"
        )
    _require_dtype(array)
    values = _arrow_elements(np.ascontiguousarray(array).reshape(-1))
    for axis in range(array.ndim - 1, 0, -1):
        lists = math.prod(array.shape[:axis])
        offsets = np.arange(lists + 1, dtype=np.int64) * array.shape[axis]
        values = pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values)
    return values


def _arrow_elements(flat: Array) -> pa.Array:
    name = array_dtype(flat.dtype)
    arrow = _ARROW[name]
    if name == "string":
        return pa.array([_text(each) for each in flat.tolist()], arrow)
    if name == "uint64":
        return pa.array([Decimal(each) for each in flat.tolist()], arrow)
    if flat.dtype.kind == "c":
        part = "float32" if name == "complex64" else "float64"
        parts = [pa.array(each.astype(part)) for each in (flat.real, flat.imag)]
        return pa.StructArray.from_arrays(parts, fields=list(arrow))
    return pa.array(flat.astype(_WIDER.get(name, name)), arrow)


def _require_dtype(array: Array) -> None:
    """Checks that an array of objects has strings, which alone are objects."""
    if array.dtype.kind != "O" or not array.size or any(isinstance(each, str) for each in array.flat):
        return
    for index, element in np.ndenumerate(array):
        if element is None or type(element).__name__ in ("NAType", "NaTType"):  # of pandas
            raise ValueError(f"element {list(index)} is {element}: fill it, as with 0 or nan")
    odd = (index for index, each in np.ndenumerate(array) if np.asarray(each).dtype.kind not in "biufc")
    index = next(odd, (0,) * array.ndim)
    kind = type(array[index]).__name__
    raise TypeError(f"element {list(index)} is {array[index]!r} of type {kind}: name a dtype, as dtype='float64'")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} in an array of strings is not a string")
    return value


def numpy_slices(column: pa.ChunkedArray, shape: Sequence[int], dtype: str | None) -> Array:
    """Returns the slices in a column, each of the given shape, as an array of ``[rows, *shape]``.

    Args:
        dtype: SparkND's name; default: that of the column's type

    Raises:
        ValueError: if a slice is NULL, has a NULL or has another length or rank
    """
    parts = []
    first = 0
    # one by one: together they may have more elements than an Arrow list can
    for chunk in column.chunks or [pa.array([], column.type)]:
        parts.append(_chunk_slices(chunk, shape, dtype, _Rows(first, len(chunk))))
        first += len(chunk)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


@dataclass(frozen=True)
class _Rows:
    """The rows of a chunk, to tell which one an element belongs to."""

    first: int
    count: int

    def row(self, element: int, elements: int) -> int:
        return self.first + element // max(1, elements // max(1, self.count))


def _chunk_slices(values: pa.Array, shape: Sequence[int], dtype: str | None, rows: _Rows) -> Array:
    lengths = list(shape)
    if len(shape) > 1 and _is_list(values.type) and not _is_list(values.type.value_type):
        lengths = [math.prod(shape)]  # one flat list of its elements
    for length in lengths:
        values = _flattened(values, length, rows)
    if pa.types.is_nested(values.type) and not pa.types.is_struct(values.type):
        raise ValueError(
            f"elements of slices of shape {list(shape)} are of type {values.type}: name all dimensions in shape"
        )
    _require_complete(values, rows)
    return _numpy_elements(values, rows, dtype).reshape((rows.count, *shape))


def _is_list(arrow: pa.DataType) -> bool:
    return bool(pa.types.is_list(arrow) or pa.types.is_large_list(arrow))


def fill_array(fill: Any, column: pa.DataType, dtype: np.dtype[Any]) -> Array:
    """Returns the element of slices in a column that have no row, as an array without dimensions.

    Args:
        fill: None for 0, False, ``''`` or ``b''``; times have no zero and become ``NaT``
        dtype: of the slices: that of strings is also that of decimals

    Raises:
        ValueError: if ``fill`` is not a value of the dtype
    """
    while _is_list(column):
        column = column.value_type
    if fill is None:
        fill = _zero(column, dtype)
    given = np.asarray(fill)
    if dtype.kind == "O":
        filled = np.empty((), dtype=object)
        filled[()] = fill
        return filled
    if given.ndim or (given.dtype.kind in "mM") != (dtype.kind in "mM"):
        raise ValueError(f"fill {fill!r} is not a value of {dtype}")
    if dtype.kind in "mM":
        return given.astype(dtype)
    try:
        return converted(given.reshape(1), array_dtype(dtype)).reshape(())
    except (TypeError, ValueError) as e:
        raise ValueError(f"fill {fill!r} is not a value of {dtype}") from e


def _zero(column: pa.DataType, dtype: np.dtype[Any]) -> Any:
    if dtype.kind in "mM":
        return np.array("NaT", dtype)
    if pa.types.is_binary(column) or pa.types.is_large_binary(column):
        return b""
    return "" if dtype.kind == "O" and not pa.types.is_decimal(column) else 0


def _flattened(values: pa.Array, length: int, rows: _Rows) -> pa.Array:
    if not _is_list(values.type):
        raise ValueError(f"a value of type {values.type} is not a list of {length} elements")
    _require_complete(values, rows)
    lengths = np.asarray(values.value_lengths().to_numpy(zero_copy_only=False))
    wrong = np.flatnonzero(lengths != length)
    if wrong.size:
        row = rows.row(int(wrong[0]), len(values))
        raise ValueError(
            f"the slice in row {row} has a list of {lengths[wrong[0]]} elements, its shape asks for {length}"
        )
    return values.flatten()


def _require_complete(values: pa.Array, rows: _Rows) -> None:
    if values.null_count:
        at = int(np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))[0])
        raise ValueError(f"the slice in row {rows.row(at, len(values))} is NULL or has a NULL")


def _complex_parts(values: pa.StructArray, rows: _Rows) -> tuple[Array, Array]:
    names = [field.name.lower() for field in values.type]
    if sorted(names) != ["im", "re"]:
        raise ValueError(f"a value of type {values.type} is not a complex number: its parts are re and im")
    parts = []
    for name in ("re", "im"):
        part = values.field(names.index(name))
        _require_complete(part, rows)
        parts.append(part.to_numpy(zero_copy_only=False))
    return parts[0], parts[1]


def _numpy_elements(values: pa.Array, rows: _Rows, dtype: str | None) -> Array:
    elements: Array
    if pa.types.is_struct(values.type):
        real, imaginary = _complex_parts(values, rows)
        name = "complex64" if real.dtype == np.float32 else "complex128"
        elements = np.empty(len(real), name)
        elements.real = real  # a sum with 1j * infinity would be NaN
        elements.imag = imaginary
    else:
        elements = values.to_numpy(zero_copy_only=False)
    return elements if dtype is None else converted(elements, dtype)


def converted(array: Array, dtype: str) -> Array:
    """Returns an array as another dtype: numbers are rounded to floating-point dtypes, and all other elements are kept.

    Raises:
        ValueError: if an element is not a value of an integer dtype, or a finite number is infinite in a
            floating-point one, or an object is no number
        TypeError: if these are elements of another kind
    """
    target = numpy_dtype(dtype)
    text = array.dtype.kind in "UT"
    kind_differs = text != (dtype == "string") and array.dtype.kind != "O"
    # NumPy makes numbers of times and of the text in bytes
    is_raw = array.dtype.kind in "mMS" or array.dtype.type is np.void  # bfloat16 of ml_dtypes has kind V, too
    if kind_differs or is_raw or array.dtype.kind == "c" != target.kind:
        raise TypeError(f"elements of {array.dtype} are not elements of {dtype}")
    if array.dtype.kind == "O" and target.kind != "O":
        _require_numbers(array, dtype)
    try:
        with np.errstate(invalid="ignore", over="ignore"):
            result = array.astype(target)
    except OverflowError as e:  # of Python's integers
        raise ValueError(f"an element is not a value of {dtype}: {e}") from e
    if target.kind in "fc" and array.dtype != target and np.isinf(result).any():
        overflows = _overflows(array, result)
        if overflows.any():
            raise ValueError(f"{array[overflows].flat[0]} is not a value of {dtype}")
    if target.kind in "biu" and not np.can_cast(array.dtype, target):
        wrong = np.flatnonzero(np.asarray(_exact(result, array) != array))
        if wrong.size:
            raise ValueError(f"{array.reshape(-1)[wrong[0]]} is not a value of {dtype}")
    return result


def _require_numbers(array: Array, dtype: str) -> None:
    """NumPy makes NaN or False of None, and numbers of their text."""
    for element in array.flat:
        if not isinstance(element, (numbers.Number, np.bool_)):
            raise ValueError(f"{element!r} is not a value of {dtype}")


def _overflows(array: Array, result: Array) -> Array:
    """Tells for each element whether it is finite and its result is infinite."""
    if array.dtype.kind == "c":
        return _overflows(array.real, result.real) | _overflows(array.imag, result.imag)
    finite: Array
    if array.dtype.kind == "O":
        finite = np.array([not _is_infinite(element) for element in array.flat], bool).reshape(array.shape)
    else:
        finite = np.isfinite(array)
    return np.isinf(result) & finite


def _is_infinite(number: Any) -> bool:
    # by comparison: as a float, a large decimal or fraction is infinite, too
    return any(abs(part) == math.inf for part in (number.real, number.imag))


def _exact(result: Array, array: Array) -> Array:
    return result.astype(object) if array.dtype.kind == "O" else result


def int64_indices(indices: Array) -> Array:
    """Returns indices as int64.

    Raises:
        TypeError: if they are not integers
        IndexError: if one is larger than any tensor
    """
    if indices.dtype.kind not in "iu":
        raise TypeError(f"indices of type {indices.dtype} are not integers")
    largest = np.iinfo(np.int64).max
    if indices.dtype == np.uint64 and indices.size and int(indices.max()) > largest:
        raise IndexError(f"index {indices.max()} is larger than any tensor, {largest}")
    return indices.astype(np.int64)
