# SPDX-License-Identifier: Apache-2.0
"""The tensors of the cases. Sums of repeated elements are exact, unless the case is of rounding."""

import numpy as np

from case_file import BFLOAT16

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", BFLOAT16, "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NUMBERS = [np.dtype(d) for d in SIGNED + UNSIGNED + FLOATS + COMPLEX]
DTYPES = [np.dtype(bool)] + NUMBERS
NAN, INF = float("nan"), float("inf")
MANTISSA = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38,
           "float32": 3.4028234663852886e38, "float64": 1.7976931348623157e308}
# reductions by the names of SparkND
OF_BOOL = {"none", "add", "mul", "min", "max", "fmin", "fmax"}
OF_COMPLEX = {"none", "add", "sub", "mul", "div"}
# element, update
NANS = [(1.5, NAN), (NAN, 1.5), (NAN, INF), (-INF, NAN), (NAN, NAN)]
ZEROS = [(0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (0.0, 0.0)]
INFINITIES = [(INF, -INF), (-INF, INF), (INF, 1.5), (1.5, -INF), (INF, 0.0), (0.0, INF)]
COMPLEX_PAIRS = [(complex(1, NAN), 2 + 1j), (complex(-0.0, 0.0), complex(-0.0, -0.0)),
                 (complex(-0.0, -0.0), complex(-0.0, -0.0)), (complex(INF, 1), complex(-INF, 1))]


def is_float(dtype):
    return dtype.name in MANTISSA


def is_integer(dtype):
    return dtype.kind in "iu"


def has(dtype, reduction):
    """Whether SparkND has the reduction for the dtype."""
    if dtype.kind == "b":
        return reduction in OF_BOOL
    if dtype.kind == "c":
        return reduction in OF_COMPLEX
    return reduction != "div" or is_float(dtype)


def vector(dtype, *values):
    return np.array(values).astype(dtype)


def ints(*values):
    return np.array(values, np.int64)


def tensor(dtype, *dims):
    """1, 2, 3, ... ; complex ones with other imaginary parts."""
    count = int(np.prod(dims))
    values = np.arange(1, count + 1)
    if dtype.kind == "b":
        values = values % 3 == 1
    if dtype.kind == "c":
        values = values + 1j * (values % 4 - 1)
    return values.astype(dtype).reshape(dims)


def updates(dtype, *dims):
    """Others than those of ``tensor``."""
    values = np.array([2, 3, 5, 4, 7, 1] * 6)[: int(np.prod(dims))]
    if dtype.kind == "b":
        values = values % 2 == 1
    if dtype.kind == "c":
        values = values - 1j * (values % 3)
    return values.astype(dtype).reshape(dims)


def by_value(dtype, reduction):
    """Yields name, element vector, index vector and update vector."""
    yield ("duplicates", *duplicates(dtype, reduction))
    if is_integer(dtype):
        yield ("wraparound", *extremes(dtype))
    if is_float(dtype):
        for name, pairs in (("NaN", NANS), ("zeros", ZEROS), ("infinities", INFINITIES)):
            yield (name, *one_by_one(dtype, pairs))
        yield ("NaN duplicates", vector(dtype, 1, 1), ints(0, 1, 0, 1),
               vector(dtype, NAN, 2, 2, NAN))
        yield ("zero duplicates", vector(dtype, -0.0, 0.0, -0.0), ints(0, 1, 2, 0, 1, 2),
               vector(dtype, -0.0, -0.0, -0.0, 0.0, 0.0, -0.0))
        yield ("inexact", vector(dtype, 0.1, 0.7, -3.3, 1e-5), ints(0, 1, 2, 3),
               vector(dtype, 0.3, 1.1, 0.9, 7.7))
        yield ("overflow", *overflow(dtype))
    if dtype.kind == "c" and reduction in ("none", "add", "sub"):
        yield ("specials", *one_by_one(dtype, COMPLEX_PAIRS))
    if is_float(dtype) and reduction in ("add", "sub", "mean"):
        yield ("rounding", *rounding(dtype, reduction))
    if reduction == "mean":
        yield ("means", *means(dtype))


def one_by_one(dtype, pairs):
    return (vector(dtype, *[a for a, _ in pairs]), ints(*range(len(pairs))),
            vector(dtype, *[b for _, b in pairs]))


def duplicates(dtype, reduction):
    index = ints(1, 3, 1, 5, 1, 0)
    if reduction == "div":
        values = np.array([1, 2, 4, 8, 16, 32])
        return values.astype(dtype), index, vector(dtype, 2, 4, 0.5, 2, 8, 1)
    return tensor(dtype, 6), index, updates(dtype, 6)


def extremes(dtype):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    data = np.array([high, low, high, low, 3, 0], dtype)
    given = np.array([1, 1, high, low, high, high, 2, low], dtype)
    return data, ints(0, 1, 2, 3, 4, 5, 0, 1), given


def overflow(dtype):
    high = LARGEST[dtype.name]
    return (vector(dtype, high, -high, high, 1), ints(0, 1, 2, 3),
            vector(dtype, high, high, 2, -high))


def rounding(dtype, reduction):
    """Each step is lost if each step is rounded; two are not if they are added first."""
    edge = 2.0 ** MANTISSA[dtype.name]
    sign = -1 if reduction == "sub" else 1
    return (vector(dtype, edge, edge, 1), ints(0, 0, 1, 0, 0),
            vector(dtype, *[sign * x for x in (1, 1, 1, 1, 1)]))


def means(dtype):
    given = [7, 3, 5, 6] if dtype.kind == "u" else [-7, -3, 5, -6]
    return vector(dtype, 2, 1, 4), ints(0, 1, 1, 0), vector(dtype, *given)


def tuples(vector_of_indices):
    return vector_of_indices.reshape(-1, 1)


def shapes_of_tuples(dtype):
    """Yields name, tensor, index tuples and updates."""
    yield "rows", tensor(dtype, 3, 2), ints([2], [0], [2]), updates(dtype, 3, 2)
    yield "cells", tensor(dtype, 3, 2), ints([2, 1], [0, 0], [2, 1]), updates(dtype, 3)
    nested = ints([[2], [0]], [[2], [1]])
    yield "nested", tensor(dtype, 3, 2), nested, updates(dtype, 2, 2, 2)
    yield "one tuple", tensor(dtype, 3, 2), ints(1), updates(dtype, 2)
    yield "depth 0", tensor(dtype, 3), np.zeros((2, 0), np.int64), updates(dtype, 2, 3)
    yield "0-d", tensor(dtype), np.zeros((2, 0), np.int64), updates(dtype, 2)
    yield "no indices", tensor(dtype, 3, 2), np.zeros((0, 1), np.int64), updates(dtype, 0, 2)
    yield "empty slices", tensor(dtype, 3, 0), ints([1], [1]), updates(dtype, 2, 0)
    yield "empty tensor", tensor(dtype, 0, 2), np.zeros((0, 1), np.int64), updates(dtype, 0, 2)


def shapes_of_arrays(dtype):
    """Those of ``shapes_of_tuples`` that have an index array."""
    return [shape for shape in shapes_of_tuples(dtype) if shape[2].shape[-1] > 0]


def broadcasts(dtype):
    """Yields name, tensor, index tuples and updates that broadcast."""
    rows = ints([2], [0], [2])
    yield "scalar", tensor(dtype, 3, 2), rows, updates(dtype)
    yield "row", tensor(dtype, 3, 2), rows, updates(dtype, 2)
    yield "column", tensor(dtype, 3, 2), rows, updates(dtype, 3, 1)


def bad_tuples(dtype):
    """Yields name, tensor and index tuples with values that are negative or out of bounds."""
    for name, values in bad_vectors():
        yield name, tensor(dtype, 6), tuples(values)
    yield "bad cell", tensor(dtype, 3, 2), ints([1, 0], [0, 2], [-1, 1], [3, 0], [2, -3])


def bad_vectors():
    yield "bad: the length", ints(1, 6)
    yield "bad: -1", ints(0, -1)
    yield "bad: before the first", ints(0, -7)
    yield "bad: several", ints(1, 9, -1, -9, 1, 5)
    yield "bad: extreme", ints(2**62, -(2**62), 1)


def elements(dtype):
    """Yields name, axis, tensor, index and updates, element by element."""
    yield "axis 0", 0, tensor(dtype, 3, 2), ints([2, 0], [1, 0]), updates(dtype, 2, 2)
    yield "axis 1", 1, tensor(dtype, 3, 2), ints([1, 1], [0, 0]), updates(dtype, 2, 2)
    yield "axis -1", -1, tensor(dtype, 3, 2), ints([1], [0], [1]), updates(dtype, 3, 1)
    yield "no indices", 0, tensor(dtype, 3, 2), np.zeros((0, 2), np.int64), updates(dtype, 0, 2)
    deep = ints([[0, 1], [1, 0]], [[1, 1], [0, 0]])
    yield "rank 3", 1, tensor(dtype, 2, 3, 2), deep, updates(dtype, 2, 2, 2)
