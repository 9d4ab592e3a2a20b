/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.SqlRows;
import io.sparknd.cluster.internal.shuffle.MapSideCombine;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.CallOutcome;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.RandomCalls.ScatterCase;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that hot slices, which are split by columns, give the same bits as others. */
class HotSlicesTest {
  private static final String SETTING = "spark.sparknd.skewBytes";
  private static final int[] PARTITIONS = {1, 3, 8};
  private static final int[] WIDTHS = {1, 3, 16, 64};
  private static final int SLICES = 40;
  private static final int UPDATES = 120;

  @BeforeEach
  void everythingThatRepeatsIsHot() {
    LocalSpark.session().conf().set(SETTING, "0");
  }

  @AfterEach
  void asBefore() {
    LocalSpark.session().conf().unset(SETTING);
  }

  /** The distribution of updates over slices. */
  private enum Where {
    ONE_SLICE,
    ZIPF,
    /** Hot slices and dropped updates. */
    SOME_DROPPED
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("io.sparknd.oracle.TestSamples#dtypes")
  void everyReductionMatchesTheOracle(DType dtype) {
    int turn = dtype.ordinal();
    for (Reduction reduction : Reduction.values()) {
      for (IncludeSelf self : IncludeSelf.values()) {
        if (reduction.isDefinedFor(dtype)) {
          Case next =
              Case.of(
                  dtype,
                  Scatter.of(reduction).withSelf(self),
                  Where.values()[turn / 3 % 3],
                  PARTITIONS[turn % 3],
                  WIDTHS[turn % 4],
                  turn);
          if (turn % 2 == 0) {
            next.checkLocal();
          } else {
            next.checkRows(columns(), false);
          }
          turn++;
        }
      }
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 64", "3, 3", "3, 16", "8, 1", "8, 3", "8, 64", "64, 16", "64, 64"})
  void everyPartitioningMatchesTheOracle(int partitions, int width) {
    for (Where where : Where.values()) {
      Case next = Case.of(DType.FLOAT32, Scatter.add(), where, partitions, width, partitions);
      next.checkLocal();
      next.checkRows(columns().orderedBy("place"), true);
    }
  }

  /** A call, the partitioning of its tensor, and the oracle's result. */
  private record Case(ScatterCall call, Tensor data, Partitioning cut, Tensor expected) {
    static Case of(DType dtype, Scatter how, Where where, int partitions, int width, int seed) {
      Random random = new Random(seed);
      Tensor data = RandomCalls.tensor(dtype, Shape.of(SLICES, width), random);
      IndexPolicy lenient = new IndexPolicy(BadIndices.IGNORE, NegativeIndices.OUT_OF_BOUNDS);
      ScatterCall call =
          ScatterCall.of(
              how.withIndices(lenient),
              indices(where, random),
              RandomCalls.tensor(dtype, Shape.of(UPDATES, width), random));
      // small blocks split long slices into pieces before they are split by columns
      Partitioning cut = new Partitioning(partitions, seed % 2 == 0 ? 4096 : 32);
      return new Case(call, data, cut, CallOutcome.of(new ScatterCase(data, call)).tensor());
    }

    void checkLocal() {
      check(tensor -> tensor.scatter(call), true);
    }

    void checkRows(TensorColumns columns, boolean shuffled) {
      Dataset<Row> rows = rows(call, shuffled);
      boolean combined = MapSideCombine.of(call.how(), data.dtype(), "auto").isPresent();
      check(tensor -> tensor.scatter(call.how(), rows, columns), !combined);
    }

    private void check(UnaryOperator<DistributedTensor> scatter, boolean isHot) {
      try (DistributedTensor tensor = DistributedTensor.of(LocalSpark.session(), data, cut);
          DistributedTensor next = scatter.apply(tensor)) {
        TensorAssert.assertSame(next.collect(), expected);
        TensorAssert.assertSameBits(tensor.collect(), data);
        assertThat(next.metrics().orElseThrow().hotSlices()).isGreaterThanOrEqualTo(isHot ? 1 : 0);
      }
    }
  }

  private static TensorColumns columns() {
    return SqlRows.columns(1);
  }

  /** Returns the updates as rows, in order or shuffled. */
  private static Dataset<Row> rows(ScatterCall call, boolean shuffled) {
    Shape slice = call.updates().shape().from(1);
    List<Row> rows = SqlRows.updates(call, slice);
    if (shuffled) {
      Collections.shuffle(rows, new Random(1));
    }
    return SqlRows.updates(rows, 1, call.updates().dtype(), slice);
  }

  private static Tensor indices(Where where, Random random) {
    long[] indices = new long[UPDATES];
    for (int i = 0; i < UPDATES; i++) {
      long zipf = (long) Math.pow((double) SLICES, random.nextDouble()) - 1;
      indices[i] =
          switch (where) {
            case ONE_SLICE -> 7;
            case ZIPF -> zipf;
            case SOME_DROPPED -> i % 5 == 0 ? -1 : zipf;
          };
    }
    return Tensor.wrap(DType.INT64, Shape.of(UPDATES, 1), indices);
  }

  @Test
  void chainOfVersionsMatchesTheLocalKernel() {
    Random random = new Random(3);
    Tensor expected = RandomCalls.tensor(DType.FLOAT32, Shape.of(SLICES, 16), random);
    DistributedTensor tensor =
        DistributedTensor.of(LocalSpark.session(), expected, Partitioning.of(8));
    for (int step = 0; step < 4; step++) {
      Tensor updates = RandomCalls.tensor(DType.FLOAT32, Shape.of(UPDATES, 16), random);
      ScatterCall call = ScatterCall.of(Scatter.add(), indices(Where.ZIPF, random), updates);
      expected = Kernels.auto().scatter(expected, call);
      tensor =
          step % 2 == 0
              ? tensor.scatter(call)
              : tensor.scatter(call.how(), rows(call, true), columns().orderedBy("place"));
    }
    TensorAssert.assertSame(tensor.collect(), expected);
  }

  @Test
  void duplicatesAreStillRejected() {
    ScatterCall call =
        ScatterCall.of(
            Scatter.add().withDuplicates(Duplicates.ERROR),
            indices(Where.ONE_SLICE, new Random(1)),
            Tensor.fill(DType.FLOAT32, Shape.of(UPDATES, 3), 1));
    DistributedTensor zeros =
        DistributedTensor.zeros(
            LocalSpark.session(), DType.FLOAT32, Shape.of(SLICES, 3), Partitioning.of(3));
    assertThatThrownBy(() -> zeros.scatter(call)).isInstanceOf(SparkNdException.class);
    assertThatThrownBy(
            () -> zeros.scatter(call.how(), rows(call, true), columns().orderedBy("place")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[7]");
  }

  @Test
  void rejectedRowIsNamed() {
    ScatterCall call =
        ScatterCall.of(
            Scatter.add(),
            indices(Where.SOME_DROPPED, new Random(1)),
            Tensor.fill(DType.FLOAT32, Shape.of(UPDATES, 3), 1));
    DistributedTensor zeros =
        DistributedTensor.zeros(
            LocalSpark.session(), DType.FLOAT32, Shape.of(SLICES, 3), Partitioning.of(3));
    assertThatThrownBy(
            () -> zeros.scatter(call.how(), rows(call, true), columns().orderedBy("place")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[-1]");
  }

  @Test
  void malformedSizeSettingIsRejected() {
    LocalSpark.session().conf().set(SETTING, "much");
    ScatterCall call =
        ScatterCall.of(Scatter.add(), Tensor.of(Shape.of(1, 1), 0L), Tensor.of(Shape.of(1), 1f));
    DistributedTensor zeros =
        DistributedTensor.zeros(
            LocalSpark.session(), DType.FLOAT32, Shape.of(3), Partitioning.of(3));
    assertThatThrownBy(() -> zeros.scatter(call))
        .isInstanceOf(SparkNdException.class)
        .hasMessage(
            "spark.sparknd.skewBytes = 'much' is neither auto nor a number of bytes, such as 16m");
  }
}
