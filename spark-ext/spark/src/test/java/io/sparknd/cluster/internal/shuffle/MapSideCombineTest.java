/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.SliceOffsets;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that map-side combining does not change the bits of results. */
class MapSideCombineTest {
  private static final int SLICES = 12;
  private static final int SOURCES = 3;
  private static final int UPDATES = 600;

  @ParameterizedTest
  @EnumSource
  void combiningDoesNotChangeBits(DType dtype) {
    for (Reduction reduction : Reduction.values()) {
      for (IncludeSelf self : IncludeSelf.values()) {
        if (reduction.isDefinedFor(dtype)) {
          check(dtype, Scatter.of(reduction).withSelf(self), Partitioning.of(3), 1);
          check(dtype, Scatter.of(reduction).withSelf(self), new Partitioning(7, 8), 4);
        }
      }
    }
  }

  /**
   * Compares a scatter with and without combining. Small blocks split slices of four or more
   * elements into pieces.
   */
  private static void check(DType dtype, Scatter how, Partitioning cut, int width) {
    Random random = new Random(dtype.ordinal());
    Shape shape = Shape.of(SLICES, width);
    Tensor data = RandomCalls.tensor(dtype, shape, random);
    long[] offsets = random.longs((long) SOURCES * UPDATES, -1, SLICES).toArray();
    Tensor updates = RandomCalls.tensor(dtype, Shape.of(offsets.length, width), random);
    MapSideCombine combining = MapSideCombine.of(how, dtype, "auto").orElse(null);
    HandRun run = new HandRun(data, 1, cut);
    for (int source = 0; source < SOURCES; source++) {
      int from = source * UPDATES;
      Tensor rows = rows(updates, from, from + UPDATES);
      run.send(source, Arrays.copyOfRange(offsets, from, from + UPDATES), rows, combining);
    }
    Tensor expected = Kernels.auto().scatter(data, call(how, offsets, updates));
    if (how.reduction() == Reduction.NONE) {
      TensorAssert.assertSameBits(run.fold(how), expected);
    } else {
      TensorAssert.assertSame(run.fold(how), expected);
    }
    assertThat(combining == null || run.arrived() <= SOURCES * SLICES * width).isTrue();
  }

  private static Tensor rows(Tensor updates, int from, int to) {
    int width = (int) updates.shape().dim(1) * updates.dtype().units();
    Object rows = updates.dtype().storage().copyOfRange(updates.array(), from * width, to * width);
    return Tensor.wrap(updates.dtype(), Shape.of(to - from, updates.shape().dim(1)), rows);
  }

  /** Returns a call that drops negative offsets, as the shuffle does. */
  private static ScatterCall call(Scatter how, long[] offsets, Tensor updates) {
    Tensor indices = Tensor.wrap(DType.INT64, Shape.of(offsets.length, 1), offsets.clone());
    Scatter lenient =
        how.withBadIndices(BadIndices.IGNORE).withNegativeIndices(NegativeIndices.OUT_OF_BOUNDS);
    return ScatterCall.of(lenient, indices, updates);
  }

  @Test
  void droppedOffsetIsMinusOne() {
    assertThat(SliceOffsets.DROPPED).isEqualTo(-1);
  }

  /**
   * Sends enough distinct updates to show that combining does not pay, then only duplicates of one.
   */
  @ParameterizedTest
  @CsvSource({"1", "5"})
  void combiningStopsIfItDoesNotPay(int partitions) {
    int slices = 100_000;
    Tensor data = Tensor.fill(DType.INT64, Shape.of(slices), 1);
    long[] offsets = IntStream.range(0, 2 * slices).mapToLong(i -> i % slices).toArray();
    Arrays.fill(offsets, slices, 2 * slices, 7);
    Tensor updates = Tensor.fill(DType.INT64, Shape.of(2L * slices), 3);
    HandRun run = new HandRun(data, 1, Partitioning.of(partitions));
    run.send(0, offsets, updates, combining(Scatter.add()));
    assertThat(run.arrived()).isEqualTo(2 * slices);
    TensorAssert.assertSameBits(
        run.fold(Scatter.add()),
        Kernels.auto().scatter(data, call(Scatter.add(), offsets, updates)));
  }

  private static MapSideCombine combining(Scatter how) {
    return MapSideCombine.of(how, DType.INT64, "auto").orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "FLOAT32, ADD, INCLUDED",
    "FLOAT64, MUL, INCLUDED",
    "FLOAT16, SUB, INCLUDED",
    "COMPLEX64, ADD, INCLUDED",
    "FLOAT32, DIV, INCLUDED",
    "INT32, MEAN, INCLUDED",
    "INT32, SUB, EXCLUDED",
    "STRING, ADD, INCLUDED"
  })
  void combiningIsDisabledIfItCouldChangeBits(DType dtype, Reduction reduction, IncludeSelf self) {
    Scatter how = Scatter.of(reduction).withSelf(self);
    assertThat(MapSideCombine.of(how, dtype, "auto")).isEmpty();
  }

  @Test
  void combiningIsDisabledIfDuplicatesAreAnError() {
    Scatter once = Scatter.update().withDuplicates(Duplicates.ERROR);
    assertThat(MapSideCombine.of(once, DType.INT32, "auto")).isEqualTo(Optional.empty());
  }
}
