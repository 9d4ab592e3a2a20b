/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.TensorColumns;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gradients that are no numbers, and steps that are smaller than the precision of weights. */
class BadGradientsTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(10, 2, Optimizer.sgd(1)).withPartitions(2);

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  /** Row 7 gets {@code value} from shard 1 in step 2, every other gradient is 1. */
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
  void badGradientsNeverGoIntoTheWeightsInSilence(float value) {
    assertThatThrownBy(() -> trained(SPEC, value))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("id 7")
        .hasMessageContaining("step 2")
        .hasMessageContaining("shard 1")
        .hasMessageContaining("BadGradients.skip()");
  }

  @Test
  void finiteGradientsWhoseSumOverflowsAreNoSilentInfinity() {
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
  void weightsThatOverflowTheirDTypeAreNoSilentInfinity() {
    assertThatThrownBy(() -> trained(SPEC.withDType(DType.FLOAT16), 1e6f))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("step 2 makes weights of id 7 NaN or infinite in float16");
  }

  @Test
  void badGradientsAreSkippedOrClippedWhereAsked() {
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
  void aSavedTableKeepsWhatItSaysOfBadGradientsAndRounding() throws Exception {
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

  /** Every gradient is 1. */
  private static final class Ones implements StepFunction<long[]> {
    @Override
    public long[] ids(long[] batch) {
      return new long[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      Arrays.fill(rows.gradients(), 1);
      return Loss.NONE;
    }
  }

  /** Steps of 1/1000 of a weight of 1, down to about 0.8. */
  private float[] slowly(DType dtype, WeightRounding rounding, int partitions) {
    EmbeddingSpec spec =
        EmbeddingSpec.of(10, 2, Optimizer.sgd(0.001))
            .withInitializer(Initializer.constant(1))
            .withDType(dtype)
            .withRounding(rounding)
            .withPartitions(partitions);
    EmbeddingTable trained =
        EmbeddingTable.create(spark, spec)
            .train(Batches.generated(1, (step, shard) -> new long[0]), new Ones())
            .steps(200)
            .stepsPerJob(50)
            .run()
            .table();
    float[] weights = new float[20];
    for (Row row : trained.toDataset().collectAsList()) {
      for (int i = 0; i < 2; i++) {
        weights[(int) row.getLong(0) * 2 + i] = row.<Float>getList(1).get(i);
      }
    }
    return weights;
  }

  @Test
  void bfloat16WeightsDoNotStallWhereStepsAreSmallerThanTheirPrecision() {
    assertThat(slowly(DType.BFLOAT16, WeightRounding.NEAREST, 2)).containsOnly(1f);
    float[] weights =
        slowly(DType.BFLOAT16, EmbeddingSpec.keyed(1, Optimizer.sgd(1)).rounding(), 2);
    double sum = 0;
    for (float weight : weights) {
      sum += weight;
    }
    assertThat(sum / weights.length).isBetween(0.78, 0.82);
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FLOAT16", "BFLOAT16"})
  void drawnRoundingsNeverDependOnPartitions(DType dtype) {
    float[] one = slowly(dtype, WeightRounding.STOCHASTIC, 1);
    assertThat(slowly(dtype, WeightRounding.STOCHASTIC, 3)).isEqualTo(one);
  }
}
