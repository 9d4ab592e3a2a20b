/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the handling of NaN and infinite gradients. */
class BadGradientsTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(10, 2, Optimizer.sgd(1)).withPartitions(2);

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  /**
   * A step function with gradient {@code value} for row 7 in shard 1 and step 2, and 1 for all
   * others.
   */
  private record Explodes(float value) implements StepFunction<long[]> {
    @Override
    public long[] ids(long[] batch) {
      return new long[] {3, 7};
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      for (int i = 0; i < rows.gradients().length; i++) {
        rows.gradients()[i] = 1;
      }
      if (batch[0] == 2 && batch[1] == 1) {
        rows.gradients()[rows.slot(1) * 2 + 1] = value;
      }
      return Loss.NONE;
    }
  }

  private static Training<long[]> training(EmbeddingTable table, float value) {
    return table
        .train(Batches.generated(2, (step, shard) -> new long[] {step, shard}), new Explodes(value))
        .steps(4);
  }

  private float[] trained(EmbeddingSpec spec, float value) {
    EmbeddingTable table = EmbeddingTable.create(spark, spec);
    return (float[]) training(table, value).run().table().weights().collect().array();
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void badGradientsAreAnErrorByDefault(float value) {
    assertThatThrownBy(() -> trained(SPEC, value))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("id 7")
        .hasMessageContaining("step 2")
        .hasMessageContaining("shard 1")
        .hasMessageContaining("BadGradients.skip()");
  }

  @Test
  void overflowOfAGradientSumIsAnError() {
    assertThatThrownBy(
            () ->
                EmbeddingTable.create(spark, SPEC)
                    .apply(
                        spark.sql(
                            "SELECT 7L AS id, array(3e38f, 0f) AS g UNION ALL"
                                + " SELECT 7L, array(3e38f, 0f)"),
                        TensorColumns.of("g", "id")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("sum of the gradients of id 7 in step 0");
  }

  @Test
  void overflowOfAWeightIsAnError() {
    assertThatThrownBy(() -> trained(SPEC.withDType(DType.FLOAT16), 1e6f))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("step 2 makes weights of id 7 NaN or infinite in float16");
  }

  /** The square of 1e20 is infinite in float32; weights divided by its root do not change. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void overflowOfOptimizerStateIsAnError(DType state) {
    for (Optimizer optimizer : List.of(Optimizer.adadelta(1), Optimizer.adagrad(1))) {
      EmbeddingSpec spec =
          EmbeddingSpec.of(10, 2, optimizer).withPartitions(2).withStateDType(state);
      assertThatThrownBy(() -> trained(spec, 1e20f))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(
              "step 2 makes the optimizer's state '" + optimizer.slots().get(0).name())
          .hasMessageContaining("of id 7 NaN or infinite");
    }
  }

  @Test
  void badGradientsAreSkippedOrClippedOnRequest() {
    float[] skipped = trained(SPEC.withBadGradients(BadGradients.skip()), Float.NaN);
    assertThat(skipped[7 * 2]).isEqualTo(-6);
    assertThat(skipped[7 * 2 + 1]).isEqualTo(-6);
    assertThat(skipped[3 * 2]).isEqualTo(-8);
    float[] clipped = trained(SPEC.withBadGradients(BadGradients.clip(5)), Float.NEGATIVE_INFINITY);
    assertThat(clipped[7 * 2]).isEqualTo(-8);
    assertThat(clipped[7 * 2 + 1]).isEqualTo(-1);
    float[] zeroed = trained(SPEC.withBadGradients(BadGradients.clip(5)), Float.NaN);
    assertThat(zeroed[7 * 2 + 1]).isEqualTo(-6);
  }

  @Test
  void savedTableKeepsItsBadGradientAndRoundingPolicies() throws Exception {
    EmbeddingSpec spec =
        SPEC.withBadGradients(BadGradients.clip(5)).withRounding(WeightRounding.NEAREST);
    String saved = directory.resolve("t").toString();
    EmbeddingTable.create(spark, spec).save(saved);
    assertThat(EmbeddingTable.load(spark, saved).spec()).isEqualTo(spec);
    Path manifest = Path.of(saved, "embedding.json");
    String json = Files.readString(manifest);
    String before =
        json.replaceAll("\"rounding\" : \"NEAREST\",", "")
            .replaceAll("(?s)\"badGradients\" : \\{.*?\\},", "");
    assertThat(before).hasSizeLessThan(json.length() - 60);
    Files.writeString(manifest, before);
    Files.deleteIfExists(Path.of(saved, ".embedding.json.crc"));
    EmbeddingSpec old = EmbeddingTable.load(spark, saved).spec();
    assertThat(old.rounding()).isEqualTo(WeightRounding.NEAREST);
    assertThat(old.badGradients()).isEqualTo(BadGradients.error());
  }
}
