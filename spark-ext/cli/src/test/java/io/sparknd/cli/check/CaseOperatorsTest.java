/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every operator name of the case format against a result of its library. */
class CaseOperatorsTest {
  private static final float NAN = Float.NaN;
  private static final CaseRunner RUNNER = CaseRuns.everywhere(3);

  @TempDir Path directory;

  private static Tensor floats(float... values) {
    return Tensor.of(Shape.of(values.length), values);
  }

  private static Tensor floats(Shape shape, float... values) {
    return Tensor.of(shape, values);
  }

  private static Tensor ints(int... values) {
    return Tensor.of(Shape.of(values.length), values);
  }

  /** Returns index tuples of one int64 each. */
  private static Tensor tuples(long... values) {
    return Tensor.of(Shape.of(values.length, 1), values);
  }

  private static Tensor longs(Shape shape, long... values) {
    return Tensor.of(shape, values);
  }

  static List<CaseFiles> tensorFlow() {
    List<CaseFiles> cases = new ArrayList<>();
    cases.add(
        CaseFiles.of("scatter_nd")
            .attribute("shape", List.of(4))
            .indices(tuples(1, 1))
            .updates(floats(5, 6))
            .expected(floats(0, 11, 0, 0)));
    cases.add(
        CaseFiles.of("gather_nd")
            .attribute("batch_dims", 1)
            .data(floats(Shape.of(2, 2), 1, 2, 3, 4))
            .indices(tuples(1, 0))
            .expected(floats(2, 3)));
    cases.add(
        CaseFiles.of("gather_nd")
            .attribute("policy", "IGNORE")
            .data(floats(1, 2))
            .indices(tuples(-1, 1, 2))
            .expected(floats(0, 2, 0)));
    cases.add(
        CaseFiles.of("tensor_scatter_nd_add")
            .attribute("bad_indices", "ignore")
            .data(floats(1, 2))
            .indices(tuples(-1, 0, 2))
            .updates(floats(5, 6, 7))
            .expected(floats(7, 2)));
    cases.add(
        CaseFiles.of("tensor_scatter_nd_update")
            .attribute("policy", "NONSENSE")
            .attribute("expect_error", true)
            .attribute("error", Map.of("must_name", List.of("NONSENSE", "IGNORE")))
            .data(floats(1, 2))
            .indices(tuples(0))
            .updates(floats(5)));
    Map<String, Tensor> results =
        Map.of(
            "update", ints(7, 20, 40),
            "add", ints(22, 20, 70),
            "sub", ints(-2, 20, -10),
            "min", ints(5, 20, 30),
            "max", ints(10, 20, 40));
    results.forEach(
        (word, result) ->
            cases.add(
                CaseFiles.of("tensor_scatter_nd_" + word)
                    .data(ints(10, 20, 30))
                    .indices(tuples(0, 2, 0))
                    .updates(ints(5, 40, 7))
                    .expected(result)));
    return cases;
  }

  static List<CaseFiles> onnx() {
    Shape row = Shape.of(1, 2);
    Shape square = Shape.of(2, 2);
    return List.of(
        CaseFiles.of("ScatterND")
            .attribute("reduction", "mul")
            .attribute("opset", 16)
            .data(floats(1, 2, 3))
            .indices(tuples(-1, 2))
            .updates(floats(2, 3))
            .expected(floats(1, 2, 18)),
        CaseFiles.of("GatherND")
            .attribute("batch_dims", 1)
            .attribute("opset", 13)
            .data(floats(square, 1, 2, 3, 4))
            .indices(tuples(1, -2))
            .expected(floats(2, 3)),
        CaseFiles.of("GatherND")
            .attribute("batch_dims", 1)
            .attribute("opset", 11)
            .attribute("expect_error", true)
            .attribute("error", Map.of("must_name", List.of("batch_dims", "11", "12")))
            .data(floats(square, 1, 2, 3, 4))
            .indices(tuples(1, 0)),
        CaseFiles.of("ScatterElements")
            .attribute("reduction", "add")
            .attribute("axis", 1)
            .data(floats(Shape.of(1, 3), 1, 2, 3))
            .indices(longs(row, 1, 1))
            .updates(floats(row, 10, 20))
            .expected(floats(Shape.of(1, 3), 1, 32, 3)),
        CaseFiles.of("GatherElements")
            .attribute("axis", 1)
            .data(floats(square, 1, 2, 3, 4))
            .indices(longs(square, 0, 0, 1, 0))
            .expected(floats(square, 1, 1, 4, 3)),
        CaseFiles.of("Scatter")
            .attribute("opset", 9)
            .data(floats(1, 2, 3))
            .indices(longs(Shape.of(2), 2, 0))
            .updates(floats(9, 8))
            .expected(floats(8, 2, 9)),
        CaseFiles.of("Gather")
            .attribute("axis", 1)
            .data(floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6))
            .indices(longs(Shape.of(2), 2, -3))
            .expected(floats(square, 3, 1, 6, 4)));
  }

  static List<CaseFiles> pyTorch() {
    Shape pair = Shape.of(2);
    Shape square = Shape.of(2, 2);
    return List.of(
        CaseFiles.of("scatter_reduce")
            .attribute("reduction", "mean")
            .attribute("include_self", false)
            .data(floats(1, 2))
            .indices(longs(pair, 0, 0))
            .updates(floats(4, 6))
            .expected(floats(5, 2)),
        CaseFiles.of("scatter_reduce")
            .attribute("peer_reduce", "amax")
            .data(floats(1, 2))
            .indices(longs(pair, 0, 0))
            .updates(floats(4, 6))
            .expected(floats(6, 2)),
        CaseFiles.of("scatter")
            .data(floats(1, 2))
            .indices(longs(pair, 1, 1))
            .updates(floats(4, 6))
            .expected(floats(1, 6)),
        CaseFiles.of("scatter")
            .attribute("peer_reduce", "multiply")
            .data(floats(1, 2))
            .indices(longs(pair, 1, 1))
            .updates(floats(4, 6))
            .expected(floats(1, 48)),
        CaseFiles.of("gather")
            .attribute("axis", 1)
            .data(floats(square, 1, 2, 3, 4))
            .indices(longs(square, 0, 0, 1, 0))
            .expected(floats(square, 1, 1, 4, 3)),
        CaseFiles.of("index_put")
            .attribute("accumulate", true)
            .data(floats(1, 2, 3))
            .indices(tuples(-1, 2))
            .updates(floats(4, 5))
            .expected(floats(1, 2, 12)),
        CaseFiles.of("index_put")
            .data(floats(1, 2, 3))
            .indices(tuples(-1, 2))
            .updates(floats(4, 5))
            .expected(floats(1, 2, 5)),
        CaseFiles.of("index_add")
            .attribute("axis", 1)
            .attribute("alpha", 2)
            .data(floats(square, 0, 0, 0, 0))
            .indices(longs(Shape.of(1), 1))
            .updates(floats(Shape.of(2, 1), 1, 2))
            .expected(floats(square, 0, 2, 0, 4)));
  }

  static List<CaseFiles> jax() {
    List<CaseFiles> cases = new ArrayList<>();
    Map<String, Float> results =
        Map.of(
            "set",
            4f,
            "add",
            14f,
            "subtract",
            2f,
            "multiply",
            64f,
            "divide",
            1f,
            "min",
            2f,
            "max",
            8f);
    results.forEach(
        (word, result) ->
            cases.add(
                CaseFiles.of("at_" + word)
                    .attribute("mode", "drop")
                    .data(floats(8, 9))
                    .indices(tuples(0, -2, 7))
                    .updates(floats(2, 4, 5))
                    .expected(floats(result, 9))));
    cases.add(
        CaseFiles.of("at_set")
            .attribute("negative", "oob")
            .attribute("bad_indices", "clip")
            .data(floats(8, 9))
            .indices(tuples(-2, 7))
            .updates(floats(2, 4))
            .expected(floats(2, 4)));
    cases.add(
        CaseFiles.of("at_get")
            .attribute("mode", "fill")
            .attribute("fill_value", -1)
            .data(floats(1, 2, 3))
            .indices(tuples(1, 7))
            .expected(floats(2, -1)));
    cases.add(
        CaseFiles.of("at_get")
            .attribute("bad_indices", "fill")
            .data(floats(1, 2, 3))
            .indices(tuples(1, 7))
            .expected(floats(2, NAN)));
    cases.add(
        CaseFiles.of("at_get")
            .attribute("mode", "sideways")
            .attribute("expect_error", true)
            .data(floats(1))
            .indices(tuples(0)));
    cases.add(
        CaseFiles.of("segment_sum")
            .attribute("num_segments", 2)
            .data(floats(1, 2, 3, 4))
            .indices(longs(Shape.of(4), 0, 0, 5, -1))
            .expected(floats(3, 0)));
    cases.add(
        CaseFiles.of("segment_sum")
            .updates(floats(1, 2, 3))
            .indices(tuples(0, 2, 2))
            .expected(floats(1, 0, 5)));
    return cases;
  }

  static List<CaseFiles> numPy() {
    List<CaseFiles> cases = new ArrayList<>();
    Map<String, Float> results =
        Map.of(
            "add.at",
            14f,
            "subtract.at",
            2f,
            "multiply.at",
            64f,
            "minimum.at",
            2f,
            "maximum.at",
            8f,
            "setitem",
            4f);
    results.forEach((op, result) -> cases.add(numPy(op, 8, result)));
    cases.add(numPy("minimum.at", NAN, NAN));
    cases.add(numPy("fmin.at", NAN, 2).attribute("reduction", "min"));
    cases.add(numPy("fmax.at", NAN, 4).attribute("reduction", "max"));
    return cases;
  }

  private static CaseFiles numPy(String op, float first, float result) {
    return CaseFiles.of(op)
        .data(floats(first, 9))
        .indices(tuples(0, -2))
        .updates(floats(2, 4))
        .expected(floats(result, 9));
  }

  static List<CaseFiles> ours() {
    Shape two = Shape.of(2);
    return List.of(
        CaseFiles.of("linear_offset")
            .attribute("data_shape", List.of(100_000, 100_000))
            .indices(longs(Shape.of(2, 2), 99_999, 99_999, 0, 1))
            .expected(longs(two, 9_999_999_999L, 1)),
        CaseFiles.of("linear_offset")
            .attribute("data_shape", List.of(5, 7))
            .attribute("negative", "wrap")
            .indices(tuples(-1, 2))
            .expected(longs(two, 4, 2)),
        CaseFiles.of("linear_offset")
            .attribute("data_shape", List.of(1L << 32, 1L << 32))
            .attribute("expect_error", true)
            .indices(tuples(0)));
  }

  @ParameterizedTest
  @MethodSource({"tensorFlow", "onnx", "pyTorch", "jax", "numPy", "ours"})
  void givesTheResultOfItsLibrary(CaseFiles files) {
    CaseFolder folder = files.write(directory, "case");

    assertThat(RUNNER.run(folder)).isEqualTo(new CaseVerdict.Passed());
  }

  @ParameterizedTest
  @MethodSource({"tensorFlow", "onnx", "pyTorch", "jax", "numPy", "ours"})
  void failsOnADifferentResult(CaseFiles files) {
    CaseFolder folder = files.expected(floats(-77)).write(directory, "case");
    boolean error = files.toString().contains("expect_error");

    CaseVerdict verdict = CaseRuns.locally().run(folder);

    assertThat(verdict instanceof CaseVerdict.Failed).isEqualTo(!error);
  }

  @Test
  void unsupportedOptionIsNotIgnored() {
    CaseFolder folder = tensorFlow().get(0).attribute("axis", 1).write(directory, "case");

    assertThat(RUNNER.run(folder))
        .isEqualTo(new CaseVerdict.Skipped("key 'axis' does not apply to op 'scatter_nd'"));
  }

  @Test
  void unsupportedReductionIsNotIgnored() {
    CaseFolder folder = tensorFlow().get(0).attribute("reduction", "min").write(directory, "case");

    assertThat(RUNNER.run(folder))
        .isEqualTo(new CaseVerdict.Skipped("reduction 'min' does not apply to op 'scatter_nd'"));
  }
}
