/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests steps smaller than the precision of float16 and bfloat16 weights. */
class WeightRoundingTest {
  private final SparkSession spark = LocalSpark.session();

  /** A step function whose gradients are all 1. */
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

  /** Trains weights of 1 in steps of 1/1000, down to about 0.8. */
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

  /** float16 ends at 65504, and rounds numbers from 65520 on to infinity. */
  @Test
  void initialWeightsThatAreInfiniteAreRefused() {
    EmbeddingSpec half = EmbeddingSpec.of(10, 2, Optimizer.sgd(1)).withDType(DType.FLOAT16);
    half.withInitializer(Initializer.uniform(-65_519, 1, 0));
    List.of(
            Initializer.constant(-65_520),
            Initializer.uniform(-1, 1e5, 0),
            Initializer.normal(1e5, 1, 0),
            Initializer.truncatedNormal(0, 4e4, 0))
        .forEach(
            initializer -> {
              assertThatThrownBy(() -> half.withInitializer(initializer))
                  .isInstanceOf(SparkNdException.class)
                  .hasMessageContaining("which are infinite in float16");
              half.withDType(DType.BFLOAT16).withInitializer(initializer);
            });
    assertThatThrownBy(
            () ->
                half.withDType(DType.BFLOAT16)
                    .withInitializer(Initializer.constant(Float.MAX_VALUE)))
        .hasMessageContaining("which are infinite in bfloat16");
  }

  @Test
  void stochasticRoundingDoesNotStallBfloat16Weights() {
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
  void stochasticRoundingDoesNotDependOnPartitions(DType dtype) {
    float[] one = slowly(dtype, WeightRounding.STOCHASTIC, 1);
    assertThat(slowly(dtype, WeightRounding.STOCHASTIC, 3)).isEqualTo(one);
  }

  /**
   * A step function whose loss is half the squared distance between each weight and a target that
   * depends on row and position.
   */
  private static final class Distances implements StepFunction<long[]> {
    private static final int ROWS = 32;
    private static final int DIM = 8;

    @Override
    public long[] ids(long[] batch) {
      return LongStream.range(0, ROWS).toArray();
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      double loss = 0;
      for (int slot = 0; slot < rows.count(); slot++) {
        for (int i = 0; i < DIM; i++) {
          int at = slot * DIM + i;
          float target = (rows.id(slot) * DIM + i) % 11 / 10f - 1;
          float distance = rows.values()[at] - target;
          rows.gradients()[at] = distance;
          loss += distance * distance / 2;
        }
      }
      return new Loss(loss, (long) rows.count() * DIM);
    }
  }

  /** Returns the last of 600 losses divided by the first. */
  private double lossLeft(DType dtype, WeightRounding rounding) {
    return lossLeft(
        EmbeddingSpec.of(Distances.ROWS, Distances.DIM, Optimizer.sgd(0.001))
            .withDType(dtype)
            .withRounding(rounding));
  }

  private double lossLeft(EmbeddingSpec spec) {
    TrainedEmbedding trained =
        EmbeddingTable.create(spark, spec.withInitializer(Initializer.constant(3)))
            .train(Batches.generated(1, (step, shard) -> new long[0]), new Distances())
            .steps(600)
            .stepsPerJob(100)
            .run();
    return trained.steps().get(599).loss().mean() / trained.steps().get(0).loss().mean();
  }

  /** Adam's v changes by 0.001 of itself in a step, a quarter of what bfloat16 can tell apart. */
  @Tag("slow")
  @Test
  void bfloat16StateLearnsWhatFloat32StateLearns() {
    for (Optimizer optimizer :
        List.of(Optimizer.adam(0.005), Optimizer.lamb(0.002), Optimizer.adadelta(5))) {
      EmbeddingSpec spec = EmbeddingSpec.of(Distances.ROWS, Distances.DIM, optimizer);
      double whole = lossLeft(spec);
      assertThat(whole).as("%s", optimizer).isLessThan(0.6);
      assertThat(lossLeft(spec.withStateDType(DType.BFLOAT16)))
          .as("%s", optimizer)
          .isBetween(0.95 * whole, 1.05 * whole);
    }
  }

  @Tag("slow")
  @Test
  void bfloat16LearnsWhatFloat32LearnsInSixHundredSmallSteps() {
    double whole = lossLeft(DType.FLOAT32, WeightRounding.NEAREST);
    assertThat(whole).isLessThan(0.35);
    assertThat(lossLeft(DType.BFLOAT16, WeightRounding.STOCHASTIC))
        .isBetween(0.95 * whole, 1.05 * whole);
    assertThat(lossLeft(DType.BFLOAT16, WeightRounding.NEAREST)).isGreaterThan(0.95);
  }
}
