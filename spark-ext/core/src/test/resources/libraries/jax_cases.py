# SPDX-License-Identifier: Apache-2.0
import jax
import jax.numpy as jnp
import numpy as np

from case_file import CaseFile
from samples import (DTYPES, UNSIGNED, bad_tuples, bad_vectors, broadcasts, by_value, has, ints,
                     shapes_of_arrays, tensor, tuples, updates)

AT = {"set": "none", "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div",
      "min": "min", "max": "max"}
SHAPED = [np.dtype("float32"), np.dtype("int64")]
MODES = [{"mode": "fill"}, {"mode": "clip"}, {"mode": "promise_in_bounds"}, {"wrap": False},
         {"mode": "clip", "wrap": False}, {}]


def run(op, data, indices, given=None, mode=None, wrap=True, fill=None, segments=None):
    if op == "segmentSum":
        return jax.ops.segment_sum(given, indices, segments)
    at = jnp.asarray(data).at[tuple(np.moveaxis(indices, -1, 0))]
    how = {"mode": mode, "wrap_negative_indices": wrap}
    if op == "get":
        return at.get(fill_value=fill, **how)
    result = getattr(at, op)(given, **how)
    if result.dtype != data.dtype:
        raise TypeError(f"the result is {result.dtype}")
    return result


def main():
    jax.config.update("jax_enable_x64", True)
    file = CaseFile("jax", jax=jax.__version__)
    for op, reduction in AT.items():
        for dtype in DTYPES:
            if has(dtype, reduction):
                for name, data, index, given in by_value(dtype, reduction):
                    file.scatter(run, op, name, data, tuples(index), given)
        for dtype in SHAPED[:1] if op == "divide" else SHAPED:
            for name, *arrays in [*shapes_of_arrays(dtype), *broadcasts(dtype)]:
                file.scatter(run, op, name, *arrays)
        for name, data, indices in bad_tuples(SHAPED[0]):
            for mode in MODES if op == "add" or name != "bad: extreme" else ():
                file.scatter(run, op, name, data, indices, updates(SHAPED[0], len(indices)), **mode)
    gathers(file)
    segment_sums(file)
    file.write()


def gathers(file):
    for dtype in DTYPES:
        for name, data, index, _ in by_value(dtype, "none"):
            file.gather(run, "get", name, data, tuples(index))
        for name, data, indices in bad_tuples(dtype):
            if dtype in SHAPED:
                for mode in MODES:
                    file.gather(run, "get", name, data, indices, **mode)
            elif name != "bad: extreme":
                file.gather(run, "get", name, data, indices, mode="fill")
    for name, data, indices, _ in shapes_of_arrays(SHAPED[0]):
        file.gather(run, "get", name, data, indices)
    for mode in ("fill", "clip", None):
        file.gather(run, "get", "bad: a fill value", tensor(SHAPED[0], 3), ints([3], [-4], [1]),
                    mode=mode, fill=-2.0)
    for name in ["int8", "int16", "int32", *UNSIGNED]:
        file.gather(run, "get", f"{name} indices", np.arange(4.0), np.array([[1], [3]], name))


def segment_sums(file):
    for dtype in DTYPES:
        if dtype.kind != "b":
            for name, _, index, given in by_value(dtype, "add"):
                zeros = np.zeros(20, dtype)
                file.scatter(run, "segmentSum", name, zeros, index, given, segments=20)
    for name, index in bad_vectors():
        given = updates(SHAPED[0], len(index))
        file.scatter(run, "segmentSum", name, np.zeros(3, "f"), index, given, segments=3)
    rows = tensor(SHAPED[0], 3, 2)
    file.scatter(run, "segmentSum", "rows", np.zeros((4, 2), "f"), ints(3, 0, 3), rows, segments=4)


if __name__ == "__main__":
    main()
