# SPDX-License-Identifier: Apache-2.0
import numpy as np
import tensorflow as tf

from case_file import CaseFile
from samples import (DTYPES, bad_tuples, by_value, has, ints, shapes_of_tuples, tensor, tuples,
                     updates)



def update(data, indices, given, bad_indices_policy):  # the function in tf has no policy
    return tf.raw_ops.TensorScatterUpdate(tensor=data, indices=indices, updates=given,
                                          bad_indices_policy=bad_indices_policy)


SCATTERS = {"tensorScatterNdUpdate": (update, "none"),
            "tensorScatterNdAdd": (tf.tensor_scatter_nd_add, "add"),
            "tensorScatterNdSub": (tf.tensor_scatter_nd_sub, "sub"),
            "tensorScatterNdMin": (tf.tensor_scatter_nd_min, "min"),
            "tensorScatterNdMax": (tf.tensor_scatter_nd_max, "max"),
            "scatterNd": (None, "add")}
FLOAT32 = np.dtype("float32")
SHAPED = [FLOAT32, np.dtype("int32")]


def run(op, data, indices, given=None, policy="", batch=0):
    if op == "gatherNd":
        return tf.gather_nd(data, indices, batch, bad_indices_policy=policy).numpy()
    if op == "scatterNd":
        return tf.scatter_nd(indices, given, np.array(data.shape, indices.dtype),
                             bad_indices_policy=policy).numpy()
    return SCATTERS[op][0](data, indices, given, bad_indices_policy=policy).numpy()


def main():
    file = CaseFile("tensorflow", tensorflow=tf.__version__)
    for op, (_, reduction) in SCATTERS.items():
        for dtype in DTYPES:
            if has(dtype, reduction):
                for name, data, index, given in by_value(dtype, reduction):
                    scatter(file, op, name, data, tuples(index), given)
        for dtype in SHAPED:
            for name, *arrays in shapes_of_tuples(dtype):
                scatter(file, op, name, *arrays)
        for policy in ({}, {"policy": "ERROR"}, {"policy": "IGNORE"}):
            for name, data, indices in bad_tuples(FLOAT32):
                scatter(file, op, name, data, indices, updates(FLOAT32, len(indices)), **policy)
        scatter(file, op, "int32 indices", tensor(FLOAT32, 3), np.array([[2], [0]], "i4"),
                updates(FLOAT32, 2))
    given = np.array(["x", "", "y", "ž"], object)
    for op in ("tensorScatterNdUpdate", "tensorScatterNdAdd", "tensorScatterNdMin", "scatterNd"):
        scatter(file, op, "strings", np.array(["a", "b", "", "c"], object),
                ints([1], [3], [1], [3]), given)
    gathers(file)
    file.write()


def scatter(file, op, name, data, *rest, **args):
    if op == "scatterNd":
        data = np.full_like(data, "") if data.dtype == object else np.zeros_like(data)
    file.scatter(run, op, name, data, *rest, **args)


def gathers(file):
    for dtype in DTYPES:
        for name, data, index, _ in by_value(dtype, "none"):
            file.gather(run, "gatherNd", name, data, tuples(index))
        file.gather(run, "gatherNd", "bad: several", tensor(dtype, 6),
                    ints([1], [9], [-1], [-9], [1], [5]), policy="IGNORE")
    for name, data, indices, _ in shapes_of_tuples(FLOAT32):
        file.gather(run, "gatherNd", name, data, indices)
    for policy in ({}, {"policy": "ERROR"}, {"policy": "IGNORE"}):
        for name, data, indices in bad_tuples(FLOAT32):
            file.gather(run, "gatherNd", name, data, indices, **policy)
    data = tensor(FLOAT32, 2, 3, 2)
    file.gather(run, "gatherNd", "a batch", data, ints([[2], [0]], [[1], [1]]), batch=1)
    file.gather(run, "gatherNd", "bad: in a batch", data, ints([[2], [0]], [[1], [3]]), batch=1)
    file.gather(run, "gatherNd", "two batches", data, ints([[1], [0], [1]], [[1], [1], [0]]),
                batch=2)
    file.gather(run, "gatherNd", "bad: strings", np.array(["a", "b"], object), ints([1], [5]),
                policy="IGNORE")


if __name__ == "__main__":
    main()
