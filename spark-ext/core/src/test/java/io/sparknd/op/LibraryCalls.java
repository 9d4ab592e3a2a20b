/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The calls that library cases describe, each by the method of the library's class. */
final class LibraryCalls {
  /** By library and method. */
  static final Map<String, Function<LibraryCase, ScatterCall>> SCATTERS = new TreeMap<>();

  /** By library and method. */
  static final Map<String, Function<LibraryCase, GatherCall>> GATHERS = new TreeMap<>();

  static {
    tensorFlow();
    pyTorch();
    jax();
    numPy();
    onnx();
  }

  private LibraryCalls() {}

  // ---- TensorFlow

  private static void tensorFlow() {
    tensorFlow("tensorScatterNdUpdate", TensorFlow::tensorScatterNdUpdate);
    tensorFlow("tensorScatterNdAdd", TensorFlow::tensorScatterNdAdd);
    tensorFlow("tensorScatterNdSub", TensorFlow::tensorScatterNdSub);
    tensorFlow("tensorScatterNdMin", TensorFlow::tensorScatterNdMin);
    tensorFlow("tensorScatterNdMax", TensorFlow::tensorScatterNdMax);
    tensorFlow("scatterNd", TensorFlow::scatterNd);
    GATHERS.put(
        "tensorflow.gatherNd",
        c -> TensorFlow.gatherNd(c.indices(), c.number("batch", 0), policy(c)));
  }

  private interface TensorFlowScatter {
    ScatterCall of(Tensor indices, Tensor updates, BadIndices bad);
  }

  private static void tensorFlow(String name, TensorFlowScatter method) {
    SCATTERS.put("tensorflow." + name, c -> method.of(c.indices(), c.given(), policy(c)));
  }

  private static BadIndices policy(LibraryCase c) {
    return TensorFlow.badIndicesPolicy(c.word("policy", ""));
  }

  // ---- PyTorch

  private static void pyTorch() {
    SCATTERS.put("torch.scatter", c -> PyTorch.scatter(dim(c), c.indices(), c.given()));
    SCATTERS.put("torch.scatterAdd", c -> PyTorch.scatterAdd(dim(c), c.indices(), c.given()));
    SCATTERS.put("torch.scatterReduce", LibraryCalls::scatterReduce);
    SCATTERS.put(
        "torch.indexAdd",
        c -> PyTorch.indexAdd(dim(c), c.indices(), c.given(), c.number("alpha", 1)));
    SCATTERS.put("torch.indexPut", c -> PyTorch.indexPut(c.data().shape(), c.indices(), c.given()));
    SCATTERS.put(
        "torch.indexPutAccumulate",
        c -> PyTorch.indexPutAccumulate(c.data().shape(), c.indices(), c.given()));
    GATHERS.put("torch.gather", c -> PyTorch.gather(dim(c), c.indices()));
    GATHERS.put("torch.index", c -> PyTorch.index(c.indices()));
    GATHERS.put("torch.indexSelect", c -> PyTorch.indexSelect(dim(c), c.indices()));
  }

  private static ScatterCall scatterReduce(LibraryCase c) {
    IncludeSelf self =
        c.args().path("include_self").asBoolean(true) ? IncludeSelf.INCLUDED : IncludeSelf.EXCLUDED;
    Reduction reduction = PyTorch.reduction(c.word("reduce", ""));
    return PyTorch.scatterReduce(dim(c), c.indices(), c.given(), reduction, self);
  }

  private static int dim(LibraryCase c) {
    return c.number("dim", 0);
  }

  // ---- JAX

  private static void jax() {
    SCATTERS.put("jax.set", c -> at(c).set(c.given()));
    SCATTERS.put("jax.add", c -> at(c).add(c.given()));
    SCATTERS.put("jax.subtract", c -> at(c).subtract(c.given()));
    SCATTERS.put("jax.multiply", c -> at(c).multiply(c.given()));
    SCATTERS.put("jax.divide", c -> at(c).divide(c.given()));
    SCATTERS.put("jax.min", c -> at(c).min(c.given()));
    SCATTERS.put("jax.max", c -> at(c).max(c.given()));
    SCATTERS.put("jax.segmentSum", c -> Jax.segmentSum(c.given(), c.indices()));
    GATHERS.put(
        "jax.get",
        c -> c.args().has("fill") ? at(c).get(c.args().path("fill").asDouble()) : at(c).get());
  }

  private static Jax.At at(LibraryCase c) {
    DType dtype = c.data().dtype();
    Shape shape = c.data().shape();
    boolean wraps = c.args().path("wrap").asBoolean(true);
    return Jax.at(dtype, shape, c.indices())
        .withMode(Jax.Mode.named(c.word("mode", "promise_in_bounds")))
        .withNegativeIndices(wraps ? NegativeIndices.WRAP : NegativeIndices.OUT_OF_BOUNDS);
  }

  // ---- NumPy

  private static void numPy() {
    numPy("addAt", NumPy::addAt);
    numPy("subtractAt", NumPy::subtractAt);
    numPy("multiplyAt", NumPy::multiplyAt);
    numPy("minimumAt", NumPy::minimumAt);
    numPy("maximumAt", NumPy::maximumAt);
    numPy("fminAt", NumPy::fminAt);
    numPy("fmaxAt", NumPy::fmaxAt);
    numPy("setItem", NumPy::setItem);
    SCATTERS.put("numpy.at", LibraryCalls::ufuncAt);
    GATHERS.put("numpy.index", c -> NumPy.index(c.indices()));
  }

  private static ScatterCall ufuncAt(LibraryCase c) {
    Reduction reduction = NumPy.reduction(c.word("ufunc", ""));
    return NumPy.at(reduction, c.data().shape(), c.indices(), c.given());
  }

  private interface NumPyScatter {
    ScatterCall of(Shape tensor, Tensor indices, Tensor values);
  }

  private static void numPy(String name, NumPyScatter method) {
    SCATTERS.put("numpy." + name, c -> method.of(c.data().shape(), c.indices(), c.given()));
  }

  // ---- ONNX

  private static void onnx() {
    SCATTERS.put(
        "onnx.scatterNd", c -> Onnx.scatterNd(opset(c), reduction(c), c.indices(), c.given()));
    SCATTERS.put(
        "onnx.scatterElements",
        c -> Onnx.scatterElements(opset(c), axis(c), reduction(c), c.indices(), c.given()));
    SCATTERS.put("onnx.scatter", c -> Onnx.scatter(opset(c), axis(c), c.indices(), c.given()));
    GATHERS.put(
        "onnx.gatherNd",
        c -> Onnx.gatherNd(opset(c), c.data().dtype(), c.number("batch_dims", 0), c.indices()));
    GATHERS.put(
        "onnx.gatherElements",
        c -> Onnx.gatherElements(opset(c), c.data().dtype(), axis(c), c.indices()));
    GATHERS.put("onnx.gather", c -> Onnx.gather(opset(c), c.data().dtype(), axis(c), c.indices()));
  }

  private static int opset(LibraryCase c) {
    return c.number("opset", Onnx.NEWEST_OPSET);
  }

  private static int axis(LibraryCase c) {
    return c.number("axis", 0);
  }

  private static Reduction reduction(LibraryCase c) {
    return Onnx.reduction(c.word("reduction", "none"));
  }
}
