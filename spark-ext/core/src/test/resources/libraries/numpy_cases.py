# SPDX-License-Identifier: Apache-2.0
import numpy as np

from case_file import CaseFile
from samples import (BFLOAT16, COMPLEX, DTYPES, bad_tuples, broadcasts, by_value, has,
                     shapes_of_arrays, tuples, updates, vector)

AT = {"addAt": ("add", np.add), "subtractAt": ("sub", np.subtract),
      "multiplyAt": ("mul", np.multiply), "minimumAt": ("min", np.minimum),
      "maximumAt": ("max", np.maximum), "fminAt": ("fmin", np.fmin), "fmaxAt": ("fmax", np.fmax),
      "setItem": ("none", None)}
SHAPED = [np.dtype("float32"), np.dtype("int64")]


def run(op, data, indices, given=None, ufunc=None):
    where = tuple(np.moveaxis(indices, -1, 0))
    if op == "index":
        return data[where]
    if op == "setItem":
        data[where] = given
    elif op == "at":
        getattr(np, ufunc).at(data, where, given)
    else:
        AT[op][1].at(data, where, given)
    return data


def main():
    np.seterr(all="ignore")
    file = CaseFile("numpy", numpy=np.__version__)
    for op, (reduction, _) in AT.items():
        for dtype in DTYPES:
            if dtype != BFLOAT16 and has(dtype, reduction):
                for name, data, index, given in by_value(dtype, reduction):
                    file.scatter(run, op, name, data, tuples(index), given)
        for dtype in SHAPED:
            for name, *arrays in [*shapes_of_arrays(dtype), *broadcasts(dtype)]:
                file.scatter(run, op, name, *arrays)
        for name, data, indices in bad_tuples(SHAPED[0]):
            file.scatter(run, op, name, data, indices, updates(SHAPED[0], len(indices)))
    quotients(file)
    index_dtypes(file)
    data, given = np.array(["a", "b", "", "ž"], object), np.array(["x", "", "y"], object)
    file.scatter(run, "setItem", "strings", data, np.array([[1], [3], [1]]), given)
    gathers(file)
    file.write()


def quotients(file):
    for dtype in DTYPES:
        if dtype != BFLOAT16 and has(dtype, "div"):
            for name, data, index, given in by_value(dtype, "div"):
                file.scatter(run, "at", name, data, tuples(index), given, ufunc="divide")
    for dtype in COMPLEX:
        data, given = vector(dtype, 1 + 2j, -3 + 0.1j), vector(dtype, 3 - 7j, 0.2 + 1e-3j)
        file.scatter(run, "at", "inexact", data, tuples(np.arange(2)), given, ufunc="divide")


def index_dtypes(file):
    data, given = np.arange(4.0), np.array([2.0, 3.0])
    for name in ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64"):
        file.scatter(run, "addAt", f"{name} indices", data, np.array([[1], [3]], name), given)


def gathers(file):
    for dtype in DTYPES:
        if dtype != BFLOAT16:
            for name, data, index, _ in by_value(dtype, "none"):
                file.gather(run, "index", name, data, tuples(index))
    for name, data, indices, _ in shapes_of_arrays(SHAPED[0]):
        file.gather(run, "index", name, data, indices)
    for name, data, indices in bad_tuples(SHAPED[0]):
        file.gather(run, "index", name, data, indices)


if __name__ == "__main__":
    main()
