/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.TensorFlow;
import io.sparknd.oracle.CallOutcome;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.RandomCalls.GatherCase;
import io.sparknd.oracle.RandomCalls.ScatterCase;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests batches of several chunks with many duplicates, with one to five threads. */
@Tag("slow")
class ThreadsTest {
  private static final IndexPolicy DROPPING =
      new IndexPolicy(BadIndices.IGNORE, NegativeIndices.OUT_OF_BOUNDS);
  private static final int SLICES = 40;
  private static final int[] MAX_THREADS = {1, 2, 3, 5};

  /** A policy that always sorts, in batches and ranges smaller than the calls. */
  static final UpdateSortPolicy ALWAYS = new UpdateSortPolicy(0, 0, Integer.MAX_VALUE, 1000, 64);

  static Stream<Arguments> reductions() {
    return Arrays.stream(DType.values())
        .flatMap(
            dtype ->
                Arrays.stream(Reduction.values())
                    .filter(reduction -> reduction.isDefinedFor(dtype))
                    .map(reduction -> Arguments.of(dtype, reduction)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("reductions")
  void scatterMatchesTheOracleForAnyNumberOfThreads(DType dtype, Reduction reduction) {
    Random random = new Random(dtype.ordinal() * 31L + reduction.ordinal());
    for (int units : new int[] {1, 17}) {
      // one more than a chunk of a loop, one more than a chunk of offsets
      for (int count : new int[] {1025, 4097}) {
        ScatterCase scatter = scatter(dtype, reduction, units, count, random);
        CallOutcome outcome = CallOutcome.of(scatter);
        assertThat(outcome.isRejected()).isFalse();
        for (int threads : MAX_THREADS) {
          Kernels kernels = Kernels.auto().withThreads(threads);
          for (Kernels any : List.of(kernels, kernels.withSorting(ALWAYS))) {
            outcome.assertGivenBy(() -> any.scatter(scatter.data(), scatter.call()));
            outcome.assertGivenBy(() -> inPlace(any, scatter));
          }
        }
      }
    }
  }

  private static Tensor inPlace(Kernels kernels, ScatterCase scatter) {
    Tensor target = scatter.data().copy();
    kernels.scatterInPlace(target, scatter.call());
    return target;
  }

  private static ScatterCase scatter(
      DType dtype, Reduction reduction, int units, int count, Random random) {
    Tensor data = RandomCalls.tensor(dtype, Shape.of(SLICES, units), random);
    Tensor updates = RandomCalls.tensor(dtype, Shape.of(count, units), random);
    Scatter how = Scatter.of(reduction).withIndices(DROPPING);
    return new ScatterCase(data, ScatterCall.of(how, indices(count, random), updates));
  }

  /** Returns indices with frequent low values, negative values and values out of bounds. */
  private static Tensor indices(int count, Random random) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextInt(3) == 0 ? random.nextInt(3) : random.nextInt(SLICES + 4) - 2;
    }
    return Tensor.of(Shape.of(count, 1), values);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void gatherMatchesTheOracleForAnyNumberOfThreads(int threads) {
    Random random = new Random(threads);
    Tensor data = RandomCalls.tensor(DType.FLOAT32, Shape.of(SLICES, 64), random);
    GatherCall call = GatherCall.of(new Gather(DROPPING), indices(4097, random));
    CallOutcome.of(new GatherCase(data, call))
        .assertGivenBy(() -> Kernels.auto().withThreads(threads).gather(data, call));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void lowestBadIndexIsNamedAndTheTensorIsUnchanged(int threads) {
    long[] values = new long[9000];
    values[8000] = SLICES;
    values[3000] = SLICES + 1;
    values[3001] = -1;
    Tensor indices = Tensor.of(Shape.of(values.length, 1), values);
    Tensor target = RandomCalls.tensor(DType.INT32, Shape.of(SLICES), new Random(1));
    Tensor before = target.copy();
    ScatterCall call =
        TensorFlow.tensorScatterNdAdd(
            indices, RandomCalls.tensor(DType.INT32, Shape.of(values.length), new Random(2)));
    Kernels kernels = Kernels.auto().withThreads(threads);
    for (Kernels any : List.of(kernels, kernels.withSorting(ALWAYS))) {
      assertThatThrownBy(() -> any.scatterInPlace(target, call))
          .hasMessageStartingWith("indices[3000] = [41] is out of bounds for shape [40]");
      assertThatThrownBy(() -> any.scatter(target, call))
          .hasMessageStartingWith("indices[3000] = [41] is out of bounds for shape [40]");
      TensorAssert.assertSameBits(target, before);
    }
  }

  /** The other threads still write the caller's array. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void errorOfAThreadIsRethrownAfterAllHaveEnded(int failing) {
    Error error = new OutOfMemoryError("test");
    AtomicInteger ended = new AtomicInteger();
    assertThatThrownBy(
            () ->
                WorkerThreads.run(
                    3,
                    share -> {
                      if (share == failing) {
                        throw error;
                      }
                      LockSupport.parkNanos(200_000_000);
                      ended.incrementAndGet();
                    }))
        .isSameAs(error);
    assertThat(ended).hasValue(2);
  }
}
