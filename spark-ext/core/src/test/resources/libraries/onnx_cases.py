# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime where it has a kernel for the dtype, else the reference evaluator of onnx."""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from case_file import BFLOAT16, CaseFile
from samples import (DTYPES, bad_tuples, bad_vectors, by_value, elements, has, ints,
                     shapes_of_tuples, tensor, tuples, updates)

FLOAT32 = np.dtype("float32")
FLOAT16 = np.dtype("float16")
SHAPED = [FLOAT32, np.dtype("int64")]
REDUCTIONS = ("none", "add", "mul", "min", "max")
OPERATORS = {"scatterNd": "ScatterND", "gatherNd": "GatherND", "gather": "Gather",
             "scatterElements": "ScatterElements", "gatherElements": "GatherElements",
             "scatter": "Scatter"}


def run(op, data, indices, given=None, opset=18, **attributes):
    arrays = {"data": data, "indices": indices}
    if given is not None:
        arrays["updates"] = given
    model = model_of(op, arrays, opset, attributes)
    if data.dtype == BFLOAT16 or (data.dtype == FLOAT16 and "reduction" in attributes):
        return ReferenceEvaluator(model).run(None, arrays)[0]
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options())
    except Exception:  # no kernel for the dtype
        return ReferenceEvaluator(model).run(None, arrays)[0]
    return session.run(None, arrays)[0]


def options():
    result = onnxruntime.SessionOptions()
    result.log_severity_level = 4
    result.intra_op_num_threads = 1
    return result


def model_of(op, arrays, opset, attributes):
    inputs = [value(name, array.dtype, array.shape) for name, array in arrays.items()]
    output = value("out", arrays["data"].dtype, None)
    node = helper.make_node(OPERATORS[op], list(arrays), ["out"], **attributes)
    graph = helper.make_graph([node], "case", inputs, [output])
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def value(name, dtype, shape):
    kind = TensorProto.STRING if dtype == object else helper.np_dtype_to_tensor_dtype(dtype)
    return helper.make_tensor_value_info(name, kind, shape)


def main():
    file = CaseFile("onnx", onnx=onnx.__version__, onnxruntime=onnxruntime.__version__)
    for reduction in REDUCTIONS:
        how = {} if reduction == "none" else {"reduction": reduction}
        for dtype in DTYPES:
            if has(dtype, reduction):
                for name, data, index, given in by_value(dtype, reduction):
                    file.scatter(run, "scatterNd", name, data, tuples(index), given, **how)
                    file.scatter(run, "scatterElements", name, data, index, given, **how)
        for dtype in SHAPED:
            for name, *arrays in shapes_of_tuples(dtype):
                file.scatter(run, "scatterNd", name, *arrays, **how)
            for name, axis, *arrays in elements(dtype):
                file.scatter(run, "scatterElements", name, *arrays, axis=axis, **how)
    bad(file)
    opsets(file)
    gathers(file)
    file.write()


def bad(file):
    for name, data, indices in bad_tuples(FLOAT32):
        file.scatter(run, "scatterNd", name, data, indices, updates(FLOAT32, len(indices)))
        file.gather(run, "gatherNd", name, data, indices)
    for name, index in bad_vectors():
        data = tensor(FLOAT32, 6)
        file.scatter(run, "scatterElements", name, data, index, updates(FLOAT32, len(index)))
        file.gather(run, "gatherElements", name, data, index)
        file.gather(run, "gather", name, data, index)


def opsets(file):
    for dtype in DTYPES:
        for name, data, index, given in by_value(dtype, "none"):
            for opset in (9, 10) if dtype != BFLOAT16 else ():
                file.scatter(run, "scatter", name, data, index, given, opset=opset)
        index = ints(1, 3, 0)
        square = tensor(dtype, 4, 2)
        for opset in (11, 13):
            if dtype == BFLOAT16 and opset < 13:
                continue
            file.scatter(run, "scatterNd", "opsets", square, tuples(index), updates(dtype, 3, 2),
                         opset=opset)
            file.gather(run, "gatherNd", "opsets", square, tuples(index), opset=opset)
        file.gather(run, "gather", "opsets", square, index, opset=1 if dtype != BFLOAT16 else 13)
    for name, axis, *arrays in elements(FLOAT32):
        for opset in (9, 10) if axis >= 0 else ():
            file.scatter(run, "scatter", name, *arrays, axis=axis, opset=opset)


def gathers(file):
    strings = np.array(["a", "", "ž"], object)
    given = np.array(["x", "y"], object)
    file.scatter(run, "scatterNd", "strings", strings, ints([2], [0]), given)
    file.scatter(run, "scatterElements", "strings", strings, ints(2, 0), given)
    file.gather(run, "gatherNd", "strings", strings, ints([2], [0]))
    for op in ("gather", "gatherElements"):
        file.gather(run, op, "strings", strings, ints(2, 0))
        file.gather(run, op, "int32 indices", tensor(FLOAT32, 3), np.array([2, 0], "i4"))
    for dtype in DTYPES:
        for name, data, index, _ in by_value(dtype, "none"):
            file.gather(run, "gatherNd", name, data, tuples(index))
            file.gather(run, "gatherElements", name, data, index)
            file.gather(run, "gather", name, data, index)
    for name, data, indices, _ in shapes_of_tuples(FLOAT32):
        file.gather(run, "gatherNd", name, data, indices)
    for name, axis, data, index, _ in elements(FLOAT32):
        file.gather(run, "gatherElements", name, data, index, axis=axis)
        file.gather(run, "gather", name, data, index, axis=axis)
    file.gather(run, "gather", "0-d index", tensor(FLOAT32, 3, 2), np.array(np.int64(1)), axis=1)
    data = tensor(FLOAT32, 2, 3, 2)
    for opset in (12, 18):
        file.gather(run, "gatherNd", "a batch", data, ints([[2], [0]], [[1], [1]]), batch_dims=1,
                    opset=opset)
    file.gather(run, "gatherNd", "two batches", data, ints([[1], [0], [1]], [[1], [1], [0]]),
                batch_dims=2)


if __name__ == "__main__":
    main()
