# SPDX-License-Identifier: Apache-2.0
"""Arrays and DataFrames."""

from __future__ import annotations

import re
import tracemalloc
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sparknd as nd
from sparknd._dtypes import arrow_slices, complete, converted, dtype_name, exact, numpy_slices
from sparknd.arrays import dense

_DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16"]
_DTYPES += ["float32", "float64", "complex64", "complex128", "string"]


def array_of(dtype: str, shape: tuple[int, ...], seed: int = 0) -> Any:
    """An array with the extreme values of a dtype among others."""
    random = np.random.default_rng(seed)
    if dtype == "string":
        return np.array([f"text {i} ä" for i in range(int(np.prod(shape)))], dtype=object).reshape(shape)
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.startswith("complex"):
        array = (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)
        array.real.flat[:3] = [1, -0.0, np.inf]
        array.imag.flat[:3] = [np.inf, np.nan, -0.0]
        return array
    if dtype.startswith("float"):
        array = random.standard_normal(shape).astype(dtype)
        array.flat[:3] = [np.inf, -0.0, np.finfo(dtype).smallest_subnormal]
        return array
    limits = np.iinfo(dtype)
    array = random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    array.flat[:2] = [limits.min, limits.max]
    return array


def assert_same_signs(found: Any, expected: Any) -> None:
    """Of zeros, which are equal whatever their sign, and of both parts of complex numbers."""
    if expected.dtype.kind not in "fc":
        return
    for part in ("real", "imag"):
        one, other = getattr(found, part), getattr(expected, part)
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(np.signbit(one), np.signbit(other))


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("shape", [(5,), (3, 2), (2, 3, 4), (0, 3)])
def test_slices_of_arrow_are_those_of_the_array(dtype: str, shape: tuple[int, ...]) -> None:
    array = array_of(dtype, (7, *shape[1:]))[: shape[0]]
    column = pa.table({"v": arrow_slices(array)}).column("v")
    back = numpy_slices(column, shape[1:], dtype)
    assert back.shape == array.shape
    np.testing.assert_array_equal(back, array)
    assert_same_signs(back, array)


def test_bytes_of_another_order_and_strides() -> None:
    array = np.arange(12, dtype=">f4").reshape(3, 4)[::2, ::-1]
    assert arrow_slices(array).to_pylist() == [[3, 2, 1, 0], [11, 10, 9, 8]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.0, 2.0], [1.0]], "the slice in row 1 has a list of 1 elements, its shape asks for 2"),
        ([[1.0, 2.0], None], "the slice in row 1 is NULL or has a NULL"),
        ([[1.0, 2.0], [1.0, None]], "the slice in row 1 is NULL or has a NULL"),
    ],
)
def test_slices_that_are_not_of_the_shape(values: list[Any], message: str) -> None:
    column = pa.table({"v": pa.array(values, pa.list_(pa.float32()))}).column("v")
    with pytest.raises(ValueError, match=message):
        numpy_slices(column, (2,), None)


@pytest.mark.parametrize(
    ("value", "shape"),
    [([1.0, 2.0], (3,)), ([[1.0, 2.0]], (3,)), ([[1.0, 2.0], [3.0, 4.0]], (3, 2)), ([("a", 1)], (3,))],
)
@pytest.mark.parametrize("dtype", [None, "float32"])
def test_a_shape_without_all_dimensions_is_an_error(value: Any, shape: tuple[int, ...], dtype: str | None) -> None:
    column = pa.map_(pa.string(), pa.int64()) if isinstance(value[0], tuple) else None
    for rows in (of_rows(pa.array([value], column)), of_rows(pa.array([value], column)).slice(0, 0)):
        with pytest.raises(ValueError, match=r"elements of slices of shape .* are of type .*: name all dimensions"):
            dense(rows, shape, None, None, None, dtype)


def test_row_of_a_nested_error() -> None:
    values = pa.table({"v": pa.array([[[1, 2], [3, 4]], [[5, 6], [7]]])}).column("v")
    with pytest.raises(ValueError, match="the slice in row 1 has a list of 1 elements"):
        numpy_slices(values, (2, 2), None)


def test_row_of_an_error_is_that_of_the_table() -> None:
    chunks = pa.chunked_array([[[1, 2], [3, 4]], [], [[5, 6], [7]]], pa.list_(pa.int8()))
    with pytest.raises(ValueError, match="the slice in row 3 has a list of 1 elements"):
        numpy_slices(chunks, (2,), None)
    chunks = pa.chunked_array([[[1, 2]], [[3, None]]], pa.list_(pa.int8()))
    with pytest.raises(ValueError, match="the slice in row 1 is NULL or has a NULL"):
        numpy_slices(chunks, (2,), None)
    numbers = pa.chunked_array([complex_numbers([(1, 2)]), complex_numbers([(1, None)])])
    with pytest.raises(ValueError, match="the slice in row 1 is NULL or has a NULL"):
        numpy_slices(numbers, (), None)


def test_chunks_may_have_more_elements_than_a_list() -> None:
    # one chunk twice, whose bits are never read: the second list is too long for offsets of the whole
    count = 2**30 + 8
    bits = pa.Array.from_buffers(pa.bool_(), count, [None, pa.allocate_buffer(count // 8)])
    chunk = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), bits)
    with pytest.raises(ValueError, match=f"the slice in row 0 has a list of {count} elements, its shape asks for 3"):
        numpy_slices(pa.chunked_array([chunk, chunk]), (3,), None)


def of_rows(values: pa.Array, indices: Any = (0,)) -> pa.Table:
    """A tensor's rows, as Spark sends them."""
    return pa.table({"i": pa.array(indices), "v": values})


def complex_numbers(values: list[Any], names: tuple[str, str] = ("re", "im")) -> pa.Array:
    """Structs of two floats."""
    return pa.array(
        [dict(zip(names, each, strict=True)) for each in values], pa.struct([(name, pa.float32()) for name in names])
    )


@pytest.mark.parametrize(
    ("column", "fill"),
    [(pa.int32(), 1.5), (pa.int32(), np.nan), (pa.int8(), 300), (pa.int32(), "5"), (pa.bool_(), 2), (pa.float64(), 1j)],
)
def test_a_fill_value_is_not_cut_to_the_dtype(column: pa.DataType, fill: Any) -> None:
    rows = of_rows(pa.array([1]).cast(column))
    with pytest.raises(ValueError, match=r"fill .* is not a value of"):
        dense(rows, (2,), None, None, fill, None)


@pytest.mark.parametrize(
    ("elements", "dtype", "bad"),
    [
        (np.array([1.0, None], object), "float32", "None"),
        (np.array([None, 1j], object), "complex64", "None"),
        (np.array([1, "2"], object), "float64", "'2'"),
        (np.array([1, None], object), "int32", "None"),
        (np.array([True, None], object), "bool", "None"),
        (np.array([1, 70000]), "float16", "70000"),
        (np.array([[np.inf, 1.5], [1, 70000]]), "float16", "70000.0"),
        (np.array([np.nan, 1e39]), "float32", re.escape("1e+39")),
        (np.array(-1e39), "float32", re.escape("-1e+39")),
        (np.array([1, 10**39], object), "float32", str(10**39)),
        (np.array([Decimal("1e400")], object), "float64", re.escape("1E+400")),
        (np.array([1, complex(0, 1e39)]), "complex64", re.escape("1e+39j")),
        (np.array([complex(1e39, 0)], object), "complex64", re.escape("(1e+39+0j)")),
        (np.array([2**63], np.uint64), "bool", "9223372036854775808"),
    ],
)
def test_what_is_no_number_of_the_dtype_is_an_error(elements: Any, dtype: str, bad: str) -> None:
    with pytest.raises(ValueError, match=f"^{bad} is not a value of {dtype}$"):
        converted(elements, dtype)


@pytest.mark.parametrize(
    "elements", [np.array(["2026-03-04"], "datetime64[D]"), np.array([5], "timedelta64[s]"), np.array([b"5"])]
)
@pytest.mark.parametrize("dtype", ["int64", "float64", "bool", "complex64"])
def test_times_and_bytes_are_no_numbers(elements: Any, dtype: str) -> None:
    with pytest.raises(TypeError, match=f"are not elements of {dtype}"):
        converted(elements, dtype)


def test_large_integers_of_a_list_keep_all_bits() -> None:
    assert converted(exact([2**63 + 1, 0], "uint64"), "uint64").tolist() == [2**63 + 1, 0]
    assert converted(exact([[2**53 + 1, 1.0]], "int64"), "int64").tolist() == [[2**53 + 1, 1]]
    with pytest.raises(ValueError, match=r"1.5 is not a value of int64"):
        converted(exact([2**53 + 1, 1.5], "int64"), "int64")
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match=f"{wrong} is not a value of int8"):
            converted(exact([wrong], "int8"), "int8")


@pytest.mark.parametrize("wrap", [lambda array: [array], lambda array: ([1.0, 2.0], [[array]])])
def test_masked_elements_within_lists_are_errors(wrap: Any) -> None:
    assert complete([np.ma.array([1.0, 2.0])]).tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="have no value where it is masked"):
        complete(wrap(np.ma.masked_equal([1.0, 2.0], 2)))
    with pytest.raises(ValueError, match="have no value where it is masked"):
        complete([1.0, np.ma.masked])


@pytest.mark.parametrize(
    ("strings", "wrong"),
    [
        (["a", float("nan"), 1, True], "nan"),
        ([["a", "b"], ("c", 1.5)], "1.5"),
        (["a", None], "None"),
        (["a", b"b"], "b'b'"),
        ([np.array(["a"]), [1]], "1"),
    ],
)
def test_what_is_no_string_among_strings_is_an_error(strings: Any, wrong: str) -> None:
    with pytest.raises(TypeError, match=f"^{wrong} in an array of strings is not a string$"):
        arrow_slices(complete(strings))


class NAType:
    """As ``NA`` of pandas."""

    def __repr__(self) -> str:
        return "<NA>"


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([1.0, None, 3.0], r"element \[1\] is None: fill it, as with 0 or nan"),
        ([[1, 2], [3, None]], r"element \[1, 1\] is None: fill it"),
        ([1, NAType()], r"element \[1\] is <NA>: fill it"),
        ([None], r"element \[0\] is None: fill it"),
        ([1, Decimal("1.50")], r"element \[1\] is Decimal\('1.50'\) of type Decimal: name a dtype"),
        ([2**64], r"element \[0\] is 18446744073709551616 of type int: name a dtype, as dtype='float64'"),
        (np.array([1, 2.5], object), r"element \[0\] is 1 of type int: name a dtype"),
    ],
)
def test_objects_that_are_no_strings(elements: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        arrow_slices(complete(elements))


def test_objects_have_the_dtype_that_is_named() -> None:
    assert converted(exact([Decimal("1.50"), 2**64], "float64"), "float64").tolist() == [1.5, 2.0**64]


def test_strings_of_lists_are_kept() -> None:
    assert arrow_slices(complete([["a\0", ""], ("b", "c" * 100)])).to_pylist() == [["a\0", ""], ["b", "c" * 100]]
    assert converted(exact(["1\0"], "string"), "string").tolist() == ["1\0"]
    strings = ["a" * 2**16, *["b"] * 2**8]
    tracemalloc.start()
    try:
        assert complete(strings).tolist() == strings
        # as NumPy's strings, all as long as the first, these need 67 million bytes
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
    for ragged in (["a", ["b"]], [["a"], ["b", "c"]]):
        with pytest.raises(ValueError, match="give all lists of a level the same length"):
            complete(ragged)


class NullableSeries:
    """As a ``Series`` of pandas that has a dtype with NULL: NumPy has NaN of it."""

    dtype = "Int64"

    def __init__(self, *values: int | None) -> None:
        self._values = values

    def isna(self) -> Any:
        return np.array([each is None for each in self._values])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array([np.nan if each is None else each for each in self._values], dtype)


class PolarsSeries:
    """As a ``Series`` of polars: NumPy has NaN of its NULL, and floats of the integers beside it."""

    def __init__(self, *values: Any, kind: pa.DataType | None = None) -> None:
        self._values, self._kind = values, kind

    def to_arrow(self) -> pa.Array:
        return pa.array(self._values, self._kind)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array([np.nan if each is None else each for each in self._values], dtype)


class PolarsFrame:
    """As a ``DataFrame`` of polars."""

    def __init__(self, *columns: PolarsSeries) -> None:
        self._columns = columns

    def to_arrow(self) -> pa.Table:
        return pa.table({str(i): column.to_arrow() for i, column in enumerate(self._columns)})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.stack([np.asarray(column, dtype) for column in self._columns], 1)


class ColumnsByPlace:
    """Like a DataFrame of pandas."""

    def __init__(self, *columns: NullableSeries) -> None:
        self._columns = columns
        self.dtypes = [column.dtype for column in columns]
        self.shape = (2, len(columns))

    @property
    def iloc(self) -> Any:
        columns = self._columns

        class Located:
            def __getitem__(self, place: tuple[slice, int]) -> NullableSeries:
                return columns[place[1]]

        return Located()

    def isna(self) -> Any:
        return np.stack([column.isna() for column in self._columns], 1)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.stack([np.asarray(column, dtype) for column in self._columns], 1)


@pytest.mark.parametrize(
    "array",
    [
        pa.array([2**60, None]),
        pa.chunked_array([[1.5], [None]]),
        pa.table({"x": [1, 2], "y": [1, None]}),
        [pa.array([1, None])],
        NullableSeries(1, None),
        ColumnsByPlace(NullableSeries(1, 2), NullableSeries(1, None)),
        PolarsSeries(2**53 + 1, None, 3),
        PolarsSeries([1, None], [2, 3], kind=pa.list_(pa.int64(), 2)),
        PolarsFrame(PolarsSeries(1, 2), PolarsSeries(1.5, None)),
        [PolarsSeries(1, 2), PolarsSeries(1, None)],
    ],
)
def test_nulls_are_no_elements(array: Any) -> None:
    with pytest.raises(ValueError, match=r"elements of an array of type \w+ are NULL: fill them"):
        complete(array)


def test_arrays_without_nulls_are_elements() -> None:
    assert complete(pa.array([2**60 + 1, 1])).tolist() == [2**60 + 1, 1]
    assert complete(NullableSeries(1, 2)).tolist() == [1, 2]
    assert complete(ColumnsByPlace(NullableSeries(1, 2), NullableSeries(3, 4))).tolist() == [[1, 3], [2, 4]]
    np.testing.assert_array_equal(complete(pa.array([1.0, np.nan])), [1, np.nan])
    assert complete(PolarsSeries(2**53 + 1, 3)).tolist() == [2**53 + 1, 3]
    np.testing.assert_array_equal(complete(PolarsSeries(1.0, np.nan)), [1, np.nan])
    assert complete(PolarsFrame(PolarsSeries(1, 2), PolarsSeries(3, 4))).tolist() == [[1, 3], [2, 4]]


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        (None, None),
        ("f4", "float32"),
        (">i2", "int16"),
        ("half", "float16"),
        ("double", "float64"),
        ("str", "string"),
        (str, "string"),
        ("bfloat16", "bfloat16"),
        ("float33", "float33"),
        ("(2,f4", "(2,f4"),
    ],
)
def test_names_of_dtypes(dtype: Any, name: str | None) -> None:
    assert dtype_name(dtype) == name


def test_dtypes_that_are_not_of_tensors() -> None:
    with pytest.raises(TypeError, match=r"^datetime64\[s\] is not a dtype of tensors"):
        dtype_name("datetime64[s]")
    with pytest.raises(TypeError, match=r"^dtype 'float33' is unknown: use one of bool, int8, "):
        converted(np.array([1]), "float33")


def test_numbers_are_rounded() -> None:
    objects = np.array([1, Decimal("0.1"), True, np.float64(np.nan), np.float32(np.inf)], object)
    np.testing.assert_array_equal(converted(objects, "float32"), np.array([1, 0.1, 1, np.nan, np.inf], "float32"))
    assert converted(np.array([2**53 + 1]), "float64").tolist() == [2.0**53]
    infinite = [np.inf, -np.inf, 65504.0]
    assert converted(np.array(infinite), "float16").tolist() == infinite
    assert converted(np.array([Decimal("-Infinity"), complex(np.inf, 1)], object), "complex64").tolist() == [
        complex(-np.inf, 0),
        complex(np.inf, 1),
    ]
    assert converted(np.array([1e39 + 0j]).real, "float64").tolist() == [1e39]


def test_fill_values_of_each_kind() -> None:
    assert dense(of_rows(pa.array([1.5])), (2,), None, None, np.inf, None).tolist() == [1.5, np.inf]
    assert dense(of_rows(pa.array([7])), (2,), None, None, 2.0, None).tolist() == [7, 2]
    assert dense(of_rows(pa.array([b"x"])), (2,), None, None, None, None).tolist() == [b"x", b""]
    assert dense(of_rows(pa.array(["x"])), (2,), None, None, "none", None).tolist() == ["x", "none"]
    days = dense(of_rows(pa.array([1], pa.date32())), (2,), None, None, None, None)
    np.testing.assert_array_equal(days, np.array(["1970-01-02", "NaT"], "datetime64[D]"))
    filled = dense(of_rows(pa.array([1], pa.date32())), (2,), None, None, np.datetime64("1970-01-05"), None)
    np.testing.assert_array_equal(filled, np.array(["1970-01-02", "1970-01-05"], "datetime64[D]"))
    with pytest.raises(ValueError, match=r"fill 0 is not a value of datetime64\[D\]"):
        dense(of_rows(pa.array([1], pa.date32())), (2,), None, None, 0, None)


def test_parts_of_complex_numbers_go_by_name() -> None:
    reversed_parts = of_rows(complex_numbers([(1, 2)], ("IM", "re")))
    assert dense(reversed_parts, (1,), None, None, None, None).tolist() == [2 + 1j]
    with pytest.raises(ValueError, match="the slice in row 1 is NULL or has a NULL"):
        dense(of_rows(complex_numbers([(1, 2), (1, None)]), [0, 1]), (2,), None, None, None, None)
    with pytest.raises(ValueError, match="is not a complex number: its parts are re and im"):
        dense(of_rows(complex_numbers([(1, 2)], ("x", "y"))), (1,), None, None, None, None)


@pytest.mark.parametrize(
    ("indices", "message"),
    [
        (pa.array([0.0]), "index column i is double: indices must be integers, cast it"),
        (pa.array(["0"]), "index column i is string: indices must be integers"),
        (pa.array([0, 0, 1, 1, 1]), r"index \[0\] has 2 rows, a tensor has one"),
    ],
)
def test_indices_that_are_no_tensor(indices: pa.Array, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dense(of_rows(pa.array([1.0] * len(indices)), indices), (2,), None, None, None, None)


def test_unknown_dtypes() -> None:
    with pytest.raises(TypeError, match=r"datetime64\[s\] is not a dtype of tensors"):
        arrow_slices(np.zeros(1, dtype="datetime64[s]"))
    with pytest.raises(TypeError, match="1 in an array of strings is not a string"):
        arrow_slices(np.array([1, "a"], dtype=object))


@pytest.mark.parametrize("dtype", _DTYPES)
def test_round_trip_through_spark(spark: Any, dtype: str) -> None:
    array = array_of(dtype, (4, 3, 2))
    df = nd.from_numpy(array, index_depth=2, spark=spark)
    back = nd.to_numpy(df, array.shape, dtype=dtype)
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)
    assert_same_signs(back, array)


@pytest.mark.parametrize("dtype", _DTYPES)
def test_arrays_without_rows(spark: Any, dtype: str) -> None:
    full = nd.from_numpy(array_of(dtype, (4, 3)), index_columns="it's {a}", spark=spark)
    empty = nd.from_numpy(array_of(dtype, (4, 3))[:0], index_columns="it's {a}", spark=spark)
    assert empty.toArrow().schema.types == full.toArrow().schema.types
    result = nd.tensor_scatter_nd_update(full, empty, shape=(4, 3), dtype=dtype)
    np.testing.assert_array_equal(nd.to_numpy(result, (4, 3), dtype=dtype), array_of(dtype, (4, 3)))


@pytest.mark.parametrize("dtype", [each for each in _DTYPES if each not in ("string", "bool")])
def test_elements_are_added_in_their_dtype(spark: Any, dtype: str) -> None:
    tensor, updates = array_of(dtype, (4, 2), 1), array_of(dtype, (3, 2), 2)
    if tensor.dtype.kind == "f":
        tensor.flat[0] = 1
    added = nd.tensor_scatter_nd_add(
        nd.from_numpy(tensor, spark=spark),
        nd.from_numpy(updates, [3, 0, 3], spark=spark),
        shape=tensor.shape,
        dtype=dtype,
    )
    expected = tensor.copy()
    with np.errstate(over="ignore"):
        np.add.at(expected, [3, 0, 3], updates)
    result = nd.to_numpy(added, tensor.shape, dtype=dtype)
    np.testing.assert_array_equal(result, expected)
    # the sign of a NaN that is computed is that of the processor
    assert_same_signs(np.nan_to_num(result), np.nan_to_num(expected))


def test_large_integers_are_sent(spark: Any) -> None:
    df = nd.from_numpy([2**53 + 1, 1.0], dtype="int64", spark=spark)
    assert nd.to_numpy(df, (2,)).tolist() == [2**53 + 1, 1]


def test_updates_have_the_indices(spark: Any) -> None:
    df = nd.from_numpy(
        [[1.0, 2.0], [3.0, 4.0]], [[5, 1], [2, 0]], index_columns=["user", "day"], value_column="n", spark=spark
    )
    assert df.toArrow().to_pylist() == [
        {"user": 5, "day": 1, "n": [1.0, 2.0]},
        {"user": 2, "day": 0, "n": [3.0, 4.0]},
    ]


def test_names_of_columns_in_an_array(spark: Any) -> None:
    class Index:
        """As that of pandas, which is no sequence and has no truth value."""

        def __bool__(self) -> bool:
            raise ValueError("the truth value is ambiguous")

        def tolist(self) -> list[str]:
            return ["user", "day"]

    for names in (np.array(["user", "day"]), Index()):
        df = nd.from_numpy([3.0], [[5, 1]], index_columns=names, spark=spark)  # type: ignore[arg-type]
        assert df.toArrow().to_pylist() == [{"user": 5, "day": 1, "value": 3.0}]
        assert nd.to_numpy(df, (6, 2), index_columns=names)[5, 1] == 3  # type: ignore[arg-type]
        indices = spark.sql("SELECT 'a' AS label, 5 AS user, 1 AS day")
        found = nd.gather_nd(df, indices, shape=(6, 2), index_columns=names)  # type: ignore[arg-type]
        assert found.toArrow().column("value").to_pylist() == [3]


def test_rows_that_are_missing_have_the_fill_value(spark: Any) -> None:
    df = nd.from_numpy([[1, 2]], [2], spark=spark)
    np.testing.assert_array_equal(nd.to_numpy(df, (4, 2)), [[0, 0], [0, 0], [1, 2], [0, 0]])
    np.testing.assert_array_equal(nd.to_numpy(df, (3, 2), fill=-1), [[-1, -1], [-1, -1], [1, 2]])
    names = nd.from_numpy(["a"], [1], spark=spark)
    assert nd.to_numpy(names, (2,)).tolist() == ["", "a"]
    assert nd.to_numpy(spark.sql("SELECT 1 AS i, array(5BD) AS v"), (2, 1)).tolist() == [[0], [5]]


@pytest.mark.parametrize(("text", "dtype"), [("1.5BD", "uint64"), ("-1BD", "uint64"), ("300", "uint8"), ("2", "bool")])
def test_columns_are_not_cut_to_a_dtype(spark: Any, text: str, dtype: str) -> None:
    with pytest.raises((ValueError, OverflowError)):
        nd.to_numpy(spark.sql(f"SELECT 0 AS i, {text} AS v"), (1,), dtype=dtype)


def test_elements_are_converted(spark: Any) -> None:
    df = nd.from_numpy([[1, 2]], dtype="float32", spark=spark)
    assert nd.to_numpy(df, (1, 2)).dtype == np.float32
    assert nd.to_numpy(nd.from_numpy([1], dtype="bfloat16", spark=spark), (1,)).dtype == np.float32
    assert nd.to_numpy(nd.from_numpy([1], dtype=bool, spark=spark), (1,)).tolist() == [True]


def test_a_flat_list_is_a_slice(spark: Any) -> None:
    df = spark.sql("SELECT 0 AS i, array(1, 2, 3, 4, 5, 6) AS v")
    np.testing.assert_array_equal(nd.to_numpy(df, (1, 2, 3)), [[[1, 2, 3], [4, 5, 6]]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("VALUES (0, 1.0D), (7, 2.0D)", r"index \[7\] in row 1 is out of bounds for shape \[4\]"),
        ("VALUES (0, 1.0D), (-1, 2.0D)", r"index \[-1\] in row 1 is out of bounds"),
        ("VALUES (3, 1.0D), (0, 1.0D), (3, 2.0D)", r"index \[3\] has 2 rows"),
        ("VALUES (0, 1.0D), (NULL, 2.0D)", "index column i has a NULL"),
        ("VALUES (0, 1.0D), (1, NULL)", "the slice in row 1 is NULL"),
        ("VALUES (0, 1.0D), (1, 0.5D)", "0.5 is not a value of int8"),
    ],
)
def test_rows_that_are_no_tensor(spark: Any, text: str, message: str) -> None:
    df = spark.sql(f"SELECT * FROM {text} AS t(i, v)")
    with pytest.raises(ValueError, match=message):
        nd.to_numpy(df, (4,), dtype="int8")


@pytest.mark.parametrize(
    ("array", "options", "message"),
    [
        ([1, 2], {"index_depth": 2}, r"index_depth 2 is out of bounds for an array of shape \[2\]"),
        ([1, 2], {"indices": [1, 2, 3]}, r"indices of shape \[3\] do not go with updates of shape \[2\]"),
        ([1, 2], {"indices": [1.5, 2]}, "indices of type float64 are not integers"),
        ([1, 2], {"index_columns": "value"}, "value_column 'value' is one of index_columns"),
        ([1], {"index_depth": 0}, "index_depth 0 is out of bounds"),
        ([1], {"indices": np.array([2**63], np.uint64)}, "index 9223372036854775808 is larger than any tensor"),
        ([1.5], {"dtype": "int32"}, "1.5 is not a value of int32"),
        ([300], {"dtype": "uint8"}, "300 is not a value of uint8"),
        ([70000.0, 1e39], {"dtype": "float16"}, "70000.0 is not a value of float16"),
        ([-1], {"dtype": "uint64"}, "-1 is not a value of uint64"),
        ([2], {"dtype": "bool"}, "2 is not a value of bool"),
        ([np.nan], {"dtype": "int8"}, "nan is not a value of int8"),
        ([1j], {"dtype": "float32"}, "elements of complex128 are not elements of float32"),
        (["1"], {"dtype": "int32"}, "elements of <U1 are not elements of int32"),
        ([1], {"dtype": "string"}, "elements of int64 are not elements of string"),
        ([1], {"dtype": "str"}, "elements of int64 are not elements of string"),
        (["a", 1], {}, "1 in an array of strings is not a string"),
        (["a", 1], {"dtype": "string"}, "1 in an array of strings is not a string"),
        ([1, "2"], {"dtype": "int32"}, "elements of <U21 are not elements of int32"),
        ([1, 2], {"indices": pa.array([1, None])}, "are NULL"),
        ([[1]], {"index_columns": ["a"], "index_depth": 2}, "do not go together"),
        ([[1]], {"index_columns": ["a", "a"]}, r"index_columns \['a', 'a'\] name one column twice"),
        (np.ma.masked_equal([1, 2], 2), {}, "have no value where it is masked: fill them"),
        ([1, 2], {"indices": np.ma.masked_equal([1, 2], 2)}, "have no value where it is masked"),
    ],
)
def test_shapes_that_do_not_go_together(spark: Any, array: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError, IndexError), match=message):
        nd.from_numpy(array, **options, spark=spark)
