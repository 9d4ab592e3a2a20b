/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparknd.embedding.internal.lookup.LookupCall;
import io.sparknd.embedding.lookup.Combiner;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.op.BadIndices;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Jax;
import io.sparknd.op.NumPy;
import io.sparknd.op.Onnx;
import io.sparknd.op.PyTorch;
import io.sparknd.op.Reduction;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.TensorFlow;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * The operators of case folders by name, with the keys that each accepts and the call that it
 * makes.
 */
final class CaseOperators {
  /** Keys that every operator accepts. */
  private static final Set<String> COMMON =
      Set.of(
          "op",
          "name",
          "seed",
          "reduction",
          "peer_reduce",
          "negative",
          "bad_indices",
          "fill_value",
          "dtypes",
          "compare",
          "rtol",
          "atol",
          "alternatives",
          "repeat_identical",
          "optional",
          "expect_error",
          "error",
          "indices_are_sorted",
          "unique_indices");

  /** Keys that only some operators accept, with the value that the others ignore. */
  private static final Map<String, String> SPECIAL =
      Map.ofEntries(
          Map.entry("policy", ""),
          Map.entry("mode", ""),
          Map.entry("batch_dims", "0"),
          Map.entry("axis", "0"),
          Map.entry("opset", ""),
          Map.entry("shape", ""),
          Map.entry("include_self", "true"),
          Map.entry("accumulate", "false"),
          Map.entry("alpha", "1"),
          Map.entry("num_segments", ""),
          Map.entry("combiner", ""),
          Map.entry("max_norm", ""),
          Map.entry("data_shape", ""));

  /**
   * @param reduction the operator's fixed reduction; empty if the case chooses it
   * @param keys of {@link #SPECIAL} that the operator accepts
   */
  private record Operator(
      Optional<Reduction> reduction, Set<String> keys, Function<OperatorCase, CaseCall> call) {}

  private static final Map<String, Operator> BY_NAME = new HashMap<>();

  static {
    tensorFlow();
    onnx();
    pyTorch();
    jax();
    numPy();
    fixed("linear_offset", Reduction.NONE, CaseOperators::offsets, "data_shape");
  }

  private CaseOperators() {}

  private static void fixed(
      String name, Reduction reduction, Function<OperatorCase, CaseCall> call, String... keys) {
    BY_NAME.put(name, new Operator(Optional.of(reduction), Set.of(keys), call));
  }

  private static void open(String name, Function<OperatorCase, CaseCall> call, String... keys) {
    BY_NAME.put(name, new Operator(Optional.empty(), Set.of(keys), call));
  }

  /**
   * Checks that the operator and every key are known.
   *
   * @throws CaseException if not
   */
  static void check(CaseAttributes attributes) {
    String name =
        attributes.string("op").orElseThrow(() -> CaseException.malformed("there is no op"));
    Operator operator = BY_NAME.get(name);
    if (operator == null) {
      throw CaseException.unsupported("unknown op '%s'", name);
    }
    for (String key : attributes.keys()) {
      if (!COMMON.contains(key) && !operator.keys().contains(key)) {
        checkIdle(name, key, attributes);
      }
    }
    operator.reduction().ifPresent(own -> checkReduction(name, own, attributes));
  }

  private static void checkIdle(String op, String key, CaseAttributes attributes) {
    if (!SPECIAL.containsKey(key)) {
      throw CaseException.unsupported("unknown key '%s'", key);
    }
    Optional<JsonNode> value = attributes.node(key);
    boolean idle =
        value.map(v -> v.isValueNode() && v.asText().equals(SPECIAL.get(key))).orElse(true);
    if (!idle) {
      throw CaseException.unsupported("key '%s' does not apply to op '%s'", key, op);
    }
  }

  private static void checkReduction(String op, Reduction own, CaseAttributes attributes) {
    String word = attributes.string("reduction").orElse("none");
    // the case format has no names for NumPy's fmin and fmax
    String ownWord = own.toString().replace("fm", "m");
    if (!word.equals("none") && !word.equals(ownWord) && !word.equals(own.toString())) {
      throw CaseException.unsupported("reduction '%s' does not apply to op '%s'", word, op);
    }
  }

  /**
   * Returns the call that {@code source} describes.
   *
   * @throws io.sparknd.tensor.SparkNdException if the library rejects the call
   * @throws CaseException if an array is missing
   */
  static CaseCall call(OperatorCase source) {
    return Objects.requireNonNull(BY_NAME.get(source.op())).call().apply(source);
  }

  // ---- TensorFlow

  private static void tensorFlow() {
    fixed("scatter_nd", Reduction.ADD, CaseOperators::scatterNd, "shape", "policy");
    fixed("gather_nd", Reduction.NONE, CaseOperators::gatherNd, "batch_dims", "policy");
    for (String word : List.of("update", "add", "sub", "min", "max")) {
      Reduction reduction = TensorFlow.reduction(word);
      fixed("tensor_scatter_nd_" + word, reduction, in -> tensorScatterNd(reduction, in), "policy");
    }
    fixed(
        "embedding_lookup_sparse",
        Reduction.NONE,
        CaseOperators::embeddingLookupSparse,
        "combiner",
        "max_norm",
        "shape",
        "policy");
  }

  /** {@code shape} is the dense shape of the ids; only its number of rows is used. */
  private static CaseCall embeddingLookupSparse(OperatorCase in) {
    CaseAttributes attributes = in.attributes();
    Lookup how =
        Lookup.of(Combiner.named(attributes.string("combiner").orElse("mean")))
            .withIndices(policies(in, in.data()).tensorFlow());
    OptionalLong rows =
        attributes.dims("shape").stream()
            .filter(dims -> dims.length > 0)
            .mapToLong(dims -> dims[0])
            .findFirst();
    LookupCall call =
        new LookupCall(
            attributes
                .number("max_norm")
                .map(Number::doubleValue)
                .map(how::withMaxNorm)
                .orElse(how),
            in.indices(),
            in.ids(),
            in.weightsFile(),
            rows);
    return new CaseCall.LookupIn(in.data(), call);
  }

  private static CaseCall scatterNd(OperatorCase in) {
    ScatterCall call = TensorFlow.scatterNd(in.indices(), in.updates());
    long[] dims =
        in.attributes()
            .dims("shape")
            .orElseThrow(() -> CaseException.malformed("scatter_nd has no shape"));
    return new CaseCall.ScatterIntoZeros(
        in.updates().dtype(),
        Shape.of(dims),
        CaseIndexPolicy.scatter(call, policies(in, in.updates()).tensorFlow()));
  }

  private static CaseCall tensorScatterNd(Reduction reduction, OperatorCase in) {
    ScatterCall call =
        TensorFlow.tensorScatterNd(reduction, in.indices(), in.updates(), BadIndices.ERROR);
    return new CaseCall.ScatterInto(
        in.data(), CaseIndexPolicy.scatter(call, policies(in, in.data()).tensorFlow()));
  }

  private static CaseCall gatherNd(OperatorCase in) {
    GatherCall call = TensorFlow.gatherNd(in.indices(), batchDims(in));
    return new CaseCall.GatherFrom(
        in.data(), CaseIndexPolicy.gather(call, policies(in, in.data()).tensorFlow()));
  }

  private static int batchDims(OperatorCase in) {
    return in.attributes().integer("batch_dims").orElse(0);
  }

  private static CaseIndexPolicy policies(OperatorCase in, Tensor tensor) {
    return new CaseIndexPolicy(in.attributes(), tensor.dtype());
  }

  // ---- ONNX

  private static void onnx() {
    open(
        "ScatterND",
        in -> scatter(in, Onnx.scatterNd(opset(in), onnxReduction(in), in.indices(), in.updates())),
        "opset");
    open(
        "ScatterElements",
        in ->
            scatter(
                in,
                Onnx.scatterElements(
                    opset(in), in.axis(), onnxReduction(in), in.indices(), in.updates())),
        "opset",
        "axis");
    fixed(
        "Scatter",
        Reduction.NONE,
        in -> scatter(in, Onnx.scatter(opset(in, 10), in.axis(), in.indices(), in.updates())),
        "opset",
        "axis");
    fixed(
        "GatherND",
        Reduction.NONE,
        in -> gather(in, Onnx.gatherNd(opset(in), in.data().dtype(), batchDims(in), in.indices())),
        "opset",
        "batch_dims");
    fixed(
        "GatherElements",
        Reduction.NONE,
        in ->
            gather(in, Onnx.gatherElements(opset(in), in.data().dtype(), in.axis(), in.indices())),
        "opset",
        "axis");
    fixed(
        "Gather",
        Reduction.NONE,
        in -> gather(in, Onnx.gather(opset(in), in.data().dtype(), in.axis(), in.indices())),
        "opset",
        "axis");
  }

  private static int opset(OperatorCase in) {
    return opset(in, Onnx.NEWEST_OPSET);
  }

  private static int opset(OperatorCase in, int newest) {
    return in.attributes().integer("opset").orElse(newest);
  }

  private static Reduction onnxReduction(OperatorCase in) {
    return Onnx.reduction(reduction(in));
  }

  private static String reduction(OperatorCase in) {
    return in.attributes().string("reduction").orElse("none");
  }

  // ---- PyTorch

  private static void pyTorch() {
    open("scatter", CaseOperators::torchScatter, "axis");
    open("scatter_reduce", CaseOperators::scatterReduce, "axis", "include_self");
    fixed(
        "gather",
        Reduction.NONE,
        in -> gather(in, PyTorch.gather(in.axis(), in.indices())),
        "axis");
    open("index_put", CaseOperators::indexPut, "accumulate");
    fixed("index_add", Reduction.ADD, CaseOperators::indexAdd, "axis", "alpha");
  }

  private static CaseCall torchScatter(OperatorCase in) {
    String word = in.attributes().string("peer_reduce").orElse(reduction(in));
    ScatterCall call =
        switch (word) {
          case "none" -> PyTorch.scatter(in.axis(), in.indices(), in.updates());
          case "add" -> PyTorch.scatterAdd(in.axis(), in.indices(), in.updates());
          case "mul", "multiply" -> scatterReduce(in, Reduction.MUL, IncludeSelf.INCLUDED);
          default ->
              throw CaseException.unsupported(
                  "reduction '%s' does not apply to op 'scatter'", word);
        };
    return scatter(in, call);
  }

  private static CaseCall scatterReduce(OperatorCase in) {
    Reduction reduction =
        in.attributes()
            .string("peer_reduce")
            .map(PyTorch::reduction)
            .orElseGet(() -> Reduction.named(reduction(in)));
    boolean included = in.attributes().flag("include_self").orElse(true);
    return scatter(
        in, scatterReduce(in, reduction, included ? IncludeSelf.INCLUDED : IncludeSelf.EXCLUDED));
  }

  private static ScatterCall scatterReduce(OperatorCase in, Reduction reduction, IncludeSelf self) {
    return PyTorch.scatterReduce(in.axis(), in.indices(), in.updates(), reduction, self);
  }

  private static CaseCall indexPut(OperatorCase in) {
    String word = reduction(in);
    if (!word.equals("none") && !word.equals("add")) {
      throw CaseException.unsupported("reduction '%s' does not apply to op 'index_put'", word);
    }
    boolean accumulate = in.attributes().flag("accumulate").orElse(word.equals("add"));
    Shape shape = in.data().shape();
    return scatter(
        in,
        accumulate
            ? PyTorch.indexPutAccumulate(shape, in.indices(), in.updates())
            : PyTorch.indexPut(shape, in.indices(), in.updates()));
  }

  private static CaseCall indexAdd(OperatorCase in) {
    Number alpha = in.attributes().number("alpha").orElse(1);
    return scatter(in, PyTorch.indexAdd(in.axis(), vector(in.indices()), in.updates(), alpha));
  }

  /** Returns tuples of one value, {@code [n, 1]}, as the vector that some operators require. */
  private static Tensor vector(Tensor indices) {
    Shape shape = indices.shape();
    return shape.rank() == 2 && shape.dim(1) == 1 ? indices.reshape(shape.first(1)) : indices;
  }

  // ---- JAX

  private static void jax() {
    for (String word : List.of("set", "add", "subtract", "multiply", "divide", "min", "max")) {
      Reduction reduction = Jax.reduction(word);
      fixed("at_" + word, reduction, in -> atUpdate(reduction, in), "mode");
    }
    fixed("at_get", Reduction.NONE, CaseOperators::atGet, "mode");
    fixed("segment_sum", Reduction.ADD, CaseOperators::segmentSum, "num_segments", "mode");
  }

  private static CaseCall atUpdate(Reduction reduction, OperatorCase in) {
    CaseIndexPolicy policies = policies(in, in.data());
    ScatterCall call = at(in, policies).update(reduction, in.updates());
    return new CaseCall.ScatterInto(in.data(), policies.jax(call));
  }

  private static CaseCall atGet(OperatorCase in) {
    CaseIndexPolicy policies = policies(in, in.data());
    Jax.At at = at(in, policies);
    GatherCall call = policies.fillValue().map(at::get).orElseGet(at::get);
    return new CaseCall.GatherFrom(in.data(), policies.jax(call));
  }

  private static Jax.At at(OperatorCase in, CaseIndexPolicy policies) {
    Jax.At at = Jax.at(in.data().dtype(), in.data().shape(), in.indices());
    return policies.mode().map(at::withMode).orElse(at);
  }

  private static CaseCall segmentSum(OperatorCase in) {
    Tensor values = in.updatesFile().orElseGet(in::data);
    Tensor ids = vector(in.indices());
    ScatterCall call = Jax.segmentSum(values, ids);
    long segments = in.attributes().count("num_segments").orElseGet(() -> 1 + largest(ids));
    return new CaseCall.ScatterIntoZeros(
        values.dtype(),
        Jax.segments(values.shape(), segments),
        policies(in, values).jaxSegments(call));
  }

  private static long largest(Tensor ids) {
    long largest = -1;
    for (int i = 0; i < ids.elements(); i++) {
      largest = Math.max(largest, ((Number) ids.element(i)).longValue());
    }
    return largest;
  }

  // ---- NumPy

  private static void numPy() {
    for (String word :
        List.of("add", "subtract", "multiply", "divide", "minimum", "maximum", "fmin", "fmax")) {
      Reduction reduction = NumPy.reduction(word);
      fixed(
          word + ".at",
          reduction,
          in -> scatter(in, NumPy.at(reduction, in.data().shape(), in.indices(), in.updates())));
    }
    fixed(
        "setitem",
        Reduction.NONE,
        in -> scatter(in, NumPy.setItem(in.data().shape(), in.indices(), in.updates())));
  }

  // ---- all

  private static CaseCall scatter(OperatorCase in, ScatterCall call) {
    IndexPolicy policy = policies(in, in.data()).over(call.how().indices());
    return new CaseCall.ScatterInto(in.data(), CaseIndexPolicy.scatter(call, policy));
  }

  private static CaseCall gather(OperatorCase in, GatherCall call) {
    IndexPolicy policy = policies(in, in.data()).over(call.how().indices());
    return new CaseCall.GatherFrom(in.data(), CaseIndexPolicy.gather(call, policy));
  }

  private static CaseCall offsets(OperatorCase in) {
    long[] dims =
        in.attributes()
            .dims("data_shape")
            .orElseThrow(() -> CaseException.malformed("linear_offset has no data_shape"));
    IndexPolicy policy = policies(in, in.indices()).over(IndexPolicy.STRICT);
    return new CaseCall.OffsetsInto(Shape.of(dims), in.indices(), policy);
  }
}
