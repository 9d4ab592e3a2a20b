# SPDX-License-Identifier: Apache-2.0
import numpy as np
import torch

from case_file import BFLOAT16, CaseFile
from samples import (DTYPES, bad_tuples, bad_vectors, broadcasts, by_value, elements, has, ints,
                     shapes_of_arrays, tensor, tuples, updates)

FLOAT32 = np.dtype("float32")
SHAPED = [FLOAT32, np.dtype("int64")]
REDUCE = {"sum": "add", "prod": "mul", "mean": "mean", "amax": "max", "amin": "min"}
# operator, arguments, the reduction by the name of SparkND
BY_VECTOR = [("scatter", {}, "none"), ("scatterAdd", {}, "add"),
             ("indexAdd", {}, "add"), ("indexAdd", {"alpha": 3}, "add"),
             *[("scatterReduce", {"reduce": name, "include_self": include}, reduction)
               for name, reduction in REDUCE.items() for include in (True, False)]]
PUTS = {"indexPut": "none", "indexPutAccumulate": "add"}


def to_torch(array):
    array = np.ascontiguousarray(array).reshape(array.shape)
    if array.dtype == BFLOAT16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def to_numpy(result):
    if result.dtype == torch.bfloat16:
        return result.contiguous().view(torch.int16).numpy().view(BFLOAT16)
    return result.numpy()


def run(op, *arrays, **args):
    return to_numpy(call(op, *[to_torch(a) for a in arrays], **args))


def call(op, data, indices, given=None, dim=0, reduce=None, include_self=True, alpha=1):
    match op:
        case "scatter":
            return data.scatter(dim, indices, given)
        case "scatterAdd":
            return data.scatter_add(dim, indices, given)
        case "scatterReduce":
            return data.scatter_reduce(dim, indices, given, reduce, include_self=include_self)
        case "indexAdd":
            return data.index_add(dim, indices, given, alpha=alpha)
        case "gather":
            return data.gather(dim, indices)
        case "indexSelect":
            return data.index_select(dim, indices)
    where = indices.unbind(-1)
    if op == "index":
        return data[where]
    return data.index_put(where, given, accumulate=op == "indexPutAccumulate")


def main():
    torch.set_num_threads(1)
    file = CaseFile("torch", torch=torch.__version__.split("+")[0])
    for op, args, reduction in BY_VECTOR:
        for dtype in DTYPES:
            if has(dtype, reduction) and (args.get("alpha", 1) == 1 or dtype.kind != "b"):
                for name, *arrays in by_value(dtype, reduction):
                    file.scatter(run, op, name, *arrays, **args)
    for op, reduction in PUTS.items():
        for dtype in DTYPES:
            if has(dtype, reduction):
                for name, data, index, given in by_value(dtype, reduction):
                    file.scatter(run, op, name, data, tuples(index), given)
    for dtype in SHAPED:
        shapes(file, dtype)
    bad(file)
    gathers(file)
    file.write()


def shapes(file, dtype):
    for op in ("scatter", "scatterAdd"):
        for name, dim, *arrays in elements(dtype):
            file.scatter(run, op, name, *arrays, dim=dim)
    for reduce in REDUCE:
        for name, dim, *arrays in elements(dtype):
            file.scatter(run, "scatterReduce", name, *arrays, dim=dim, reduce=reduce,
                         include_self=False)
    index = ints([2], [0])
    file.scatter(run, "scatter", "larger src", tensor(dtype, 3, 2), index, updates(dtype, 3, 2))
    zero = np.int64(0)
    for op in ("scatter", "scatterAdd", "indexAdd"):
        file.scatter(run, op, "0-d", tensor(dtype), np.array(zero), updates(dtype))
    file.scatter(run, "scatterAdd", "0-d of a vector", tensor(dtype, 2), np.array(zero + 1),
                 updates(dtype))
    file.scatter(run, "indexAdd", "0-d index", tensor(dtype, 3), np.array(zero + 1),
                 updates(dtype, 1))
    square = tensor(dtype, 3, 2)
    file.scatter(run, "indexAdd", "axis 0", square, ints(2, 2), updates(dtype, 2, 2), dim=0)
    file.scatter(run, "indexAdd", "axis 1", square, ints(1, 1), updates(dtype, 3, 2), dim=1)
    file.scatter(run, "indexAdd", "axis -1", square, ints(0), updates(dtype, 3, 1), dim=-1, alpha=2)
    file.scatter(run, "indexAdd", "no indices", square, ints(), updates(dtype, 0, 2))
    for op in PUTS:
        for name, *arrays in [*shapes_of_arrays(dtype), *broadcasts(dtype)]:
            file.scatter(run, op, name, *arrays)


def bad(file):
    for name, index in bad_vectors():
        data, given = tensor(FLOAT32, 6), updates(FLOAT32, len(index))
        for op in ("scatter", "scatterAdd", "indexAdd"):
            file.scatter(run, op, name, data, index, given)
        file.scatter(run, "scatterReduce", name, data, index, given, reduce="mean")
        file.gather(run, "gather", name, data, index)
        file.gather(run, "indexSelect", name, data, index)
    for name, data, indices in bad_tuples(FLOAT32):
        for op in PUTS:
            file.scatter(run, op, name, data, indices, updates(FLOAT32, len(indices)))
        file.gather(run, "index", name, data, indices)


def gathers(file):
    for dtype in DTYPES:
        for name, data, index, _ in by_value(dtype, "none"):
            file.gather(run, "gather", name, data, index)
            file.gather(run, "indexSelect", name, data, index)
            file.gather(run, "index", name, data, tuples(index))
    for name, dim, data, index, _ in elements(FLOAT32):
        file.gather(run, "gather", name, data, index, dim=dim)
    scalar, zero = tensor(FLOAT32), np.int64(0)
    for op in ("gather", "indexSelect"):
        file.gather(run, op, "0-d", scalar, np.array(zero))
        file.gather(run, op, "vector of 0-d", scalar, ints(0))
        file.gather(run, op, "0-d of a vector", tensor(FLOAT32, 3), np.array(zero + 1))
        file.gather(run, op, "int32 indices", tensor(FLOAT32, 3), np.array([2, 0], "i4"))
    for dim in (0, 1, -1):
        file.gather(run, "indexSelect", "axis", tensor(FLOAT32, 3, 2), ints(1, 0, 1), dim=dim)
    for name, data, indices, _ in shapes_of_arrays(FLOAT32):
        file.gather(run, "index", name, data, indices)


if __name__ == "__main__":
    main()
