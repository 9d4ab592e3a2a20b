/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Columns of tensors compared with the oracle row by row: on the host, or on the GPU if {@code
 * sparknd.test.kernels} is {@code cudf}.
 */
class ListKernelsTest {
  private static final int ROWS = 70; // more than one bitmap word
  private static final List<DType> DTYPES =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.FLOAT32,
          DType.FLOAT64);
  private static final List<DType> INDEX_DTYPES =
      List.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64);

  private final HostDevices host = new HostDevices();
  private final Device device =
      Gpu.devices() instanceof HostDevices ? host.forThisTask() : Gpu.device();

  @AfterEach
  void allDeviceMemoryIsFreed() {
    assertThat(host.taken()).isZero();
  }

  static Stream<Arguments> everything() {
    return DTYPES.stream()
        .flatMap(
            dtype ->
                IntStream.rangeClosed(1, 3)
                    .boxed()
                    .flatMap(
                        rank ->
                            IntStream.rangeClosed(0, rank)
                                .mapToObj(depth -> Arguments.of(dtype, rank, depth))));
  }

  /** Random rows of random dimensions, some empty, some NULL, with indices of all allowed kinds. */
  private final class Columns implements AutoCloseable {
    final DType dtype;
    final int rank;
    final TupleRule rule;
    final List<Tensor> tensors = new ArrayList<>();
    final List<Tensor> indices = new ArrayList<>();
    final List<Tensor> updates = new ArrayList<>();
    final int slots;
    private final List<HeldLists> held = new ArrayList<>();

    Columns(DType dtype, int rank, int depth, Random random) {
      this.dtype = dtype;
      this.rank = rank;
      this.slots = 1 + random.nextInt(2);
      BadIndices bad = random.nextBoolean() ? BadIndices.IGNORE : BadIndices.CLIP;
      NegativeIndices negative =
          random.nextBoolean() ? NegativeIndices.WRAP : NegativeIndices.OUT_OF_BOUNDS;
      DType of = INDEX_DTYPES.get(random.nextInt(INDEX_DTYPES.size()));
      this.rule = new TupleRule(of, depth, new IndexPolicy(bad, negative));
      for (int row = 0; row < ROWS; row++) {
        addRow(random);
      }
    }

    private void addRow(Random random) {
      long[] dims = random.ints(rank, 1, 5).asLongStream().toArray();
      boolean idle = random.nextInt(6) == 0;
      Shape shape = Shape.of(dims);
      Shape at = Shape.of(random.ints(slots, 1, 4).asLongStream().toArray());
      if (idle) { // no updates, and in half of the cases an empty tensor
        shape = random.nextBoolean() ? shape : Shape.of(new long[rank]);
        at = Shape.of(new long[slots]);
      }
      Tensor tuples = Tensor.zeros(DType.INT64, at.concat(Shape.of(rule.depth())));
      for (int i = 0; i < tuples.elements(); i++) {
        ((long[]) tuples.array())[i] = random.nextInt(-7, 8);
      }
      Shape slice = shape.from(rule.depth());
      tensors.add(RandomCalls.tensor(dtype, shape, random));
      indices.add(tuples);
      updates.add(RandomCalls.tensor(dtype, at.concat(slice), random));
      List<List<Tensor>> all = List.of(tensors, indices, updates);
      if (random.nextInt(5) == 0) {
        all.get(random.nextInt(3)).set(tensors.size() - 1, null);
      }
    }

    TensorLists hold(DType of, int depth, List<Tensor> rows) {
      held.add(HeldLists.of(device, of, depth, rows));
      return held.get(held.size() - 1).lists();
    }

    TensorLists heldTensors() {
      return hold(dtype, rank, tensors);
    }

    TensorLists heldIndices() {
      List<Tensor> narrow =
          indices.stream().map(row -> row == null ? null : narrow(row, rule.dtype())).toList();
      return hold(rule.dtype(), slots + 1, narrow);
    }

    TensorLists heldUpdates() {
      return hold(dtype, slots + rank - rule.depth(), updates);
    }

    boolean has(int row) {
      return tensors.get(row) != null && indices.get(row) != null && updates.get(row) != null;
    }

    @Override
    public void close() {
      held.forEach(HeldLists::close);
    }
  }

  private static Tensor narrow(Tensor indices, DType dtype) {
    Tensor narrow = Tensor.zeros(dtype, indices.shape());
    for (int i = 0; i < indices.elements(); i++) {
      long value = ((long[]) indices.array())[i];
      switch (dtype) {
        case INT8 -> ((byte[]) narrow.array())[i] = (byte) value;
        case INT16 -> ((short[]) narrow.array())[i] = (short) value;
        case INT32 -> ((int[]) narrow.array())[i] = (int) value;
        default -> ((long[]) narrow.array())[i] = value;
      }
    }
    return narrow;
  }

  private static Object elements(DType dtype, List<Tensor> rows) {
    return bits(HeldLists.joined(dtype, rows).array());
  }

  /** Canonicalizes NaN: a reduction may return any NaN bits. */
  private static Object bits(Object values) {
    if (values instanceof float[] floats) {
      for (int i = 0; i < floats.length; i++) {
        floats[i] = Float.isNaN(floats[i]) ? Float.NaN : floats[i];
      }
    } else if (values instanceof double[] doubles) {
      for (int i = 0; i < doubles.length; i++) {
        doubles[i] = Double.isNaN(doubles[i]) ? Double.NaN : doubles[i];
      }
    }
    return values;
  }

  @ParameterizedTest
  @MethodSource("everything")
  void scatterMatchesOracleForEveryDtypeRankAndDepth(DType dtype, int rank, int depth) {
    Random random = new Random(dtype.ordinal() * 16L + rank * 4L + depth);
    for (Reduction reduction : Reduction.values()) {
      if (reduction == Reduction.MEAN || !reduction.isDefinedFor(dtype)) {
        continue;
      }
      try (Columns columns = new Columns(dtype, rank, depth, random);
          ListKernels kernels = new ListKernels(device)) {
        Scatter how = Scatter.of(reduction).withIndices(columns.rule.policy());
        List<Tensor> expected = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
          Tensor tensor = columns.tensors.get(row);
          expected.add(
              columns.has(row)
                  ? NaiveEngine.scatter(
                      tensor,
                      ScatterCall.of(how, columns.indices.get(row), columns.updates.get(row)))
                  : tensor);
        }
        TensorLists target = columns.heldTensors();
        assertThat(
                kernels.scatter(
                    target, reduction, columns.rule, columns.heldIndices(), columns.heldUpdates()))
            .isTrue();
        Object after = columns.held.get(0).elements(HeldLists.joined(dtype, expected).elements());
        assertThat(bits(after)).as("%s", reduction).isEqualTo(elements(dtype, expected));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void scatterNdMatchesOracleForEveryDtypeRankAndDepth(DType dtype, int rank, int depth) {
    Random random = new Random(dtype.ordinal() * 16L + rank * 4L + depth);
    try (Columns columns = new Columns(dtype, rank, depth, random);
        ListKernels kernels = new ListKernels(device)) {
      Scatter how = Scatter.add().withIndices(columns.rule.policy());
      List<Tensor> expected = new ArrayList<>();
      List<Tensor> shapes = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        Tensor tensor = columns.tensors.get(row);
        shapes.add(tensor == null ? null : Tensor.of(Shape.of(rank), tensor.shape().dims()));
        Tensor zeros = tensor == null ? null : Tensor.zeros(dtype, tensor.shape());
        expected.add(
            columns.has(row)
                ? NaiveEngine.scatter(
                    zeros, ScatterCall.of(how, columns.indices.get(row), columns.updates.get(row)))
                : zeros);
      }
      check(
          kernels.scatterNd(
              columns.hold(DType.INT64, 1, shapes),
              rank,
              columns.rule,
              columns.heldIndices(),
              columns.heldUpdates()),
          dtype,
          rank,
          expected);
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void gatherMatchesOracleForEveryDtypeRankAndDepth(DType dtype, int rank, int depth) {
    Random random = new Random(dtype.ordinal() * 16L + rank * 4L + depth);
    try (Columns columns = new Columns(dtype, rank, depth, random);
        ListKernels kernels = new ListKernels(device)) {
      Gather how = new Gather(columns.rule.policy());
      List<Tensor> expected = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        Tensor tensor = columns.tensors.get(row);
        Tensor indices = columns.indices.get(row);
        boolean none = tensor == null || indices == null;
        expected.add(
            none
                ? nothing(columns, tensor, indices)
                : NaiveEngine.gather(tensor, new GatherCall(how, Indexing.tuples(), indices)));
      }
      check(
          kernels.gather(columns.heldTensors(), columns.rule, columns.heldIndices()),
          dtype,
          columns.slots + rank - depth,
          expected);
    }
  }

  /**
   * The hidden contents of a row that becomes NULL: zeros of the shape that the other argument
   * gives.
   */
  private static Tensor nothing(Columns columns, Tensor tensor, Tensor indices) {
    Shape slots =
        indices == null ? Shape.of(new long[columns.slots]) : indices.shape().first(columns.slots);
    Shape slice =
        tensor == null
            ? Shape.of(new long[columns.rank - columns.rule.depth()])
            : tensor.shape().from(columns.rule.depth());
    return Tensor.zeros(columns.dtype, slots.concat(slice));
  }

  private void check(Optional<NewLists> made, DType dtype, int rank, List<Tensor> expected) {
    assertThat(made).isPresent();
    try (NewLists lists = made.get();
        HeldLists wanted = HeldLists.of(device, dtype, rank, expected)) {
      assertThat(bits(HeldLists.elements(device, dtype, lists.elements(), lists.count())))
          .isEqualTo(elements(dtype, expected));
      assertThat(lists.levels()).hasSize(rank);
      for (int level = 0; level < rank; level++) {
        NewLists.Level found = lists.levels().get(level);
        assertThat(HeldLists.elements(device, DType.INT32, found.offsets(), found.lists() + 1))
            .as("offsets of level %d", level)
            .isEqualTo(wanted.offsets(level));
      }
    }
  }

  private boolean scatterOne(
      UnaryOperator<Tensor> tensor, UnaryOperator<Tensor> indices, UnaryOperator<Tensor> updates) {
    Tensor into = Tensor.of(Shape.of(3, 2), new float[] {1, 2, 3, 4, 5, 6});
    Tensor at = Tensor.of(Shape.of(2, 1), new long[] {2, 0});
    Tensor from = Tensor.of(Shape.of(2, 2), new float[] {10, 20, 30, 40});
    try (HeldLists target = held(into, tensor.apply(into));
        HeldLists tuples = held(at, indices.apply(at));
        HeldLists given = held(from, updates.apply(from));
        ListKernels kernels = new ListKernels(device)) {
      return kernels.scatter(
          target.lists(),
          Reduction.ADD,
          new TupleRule(DType.INT64, 1, IndexPolicy.STRICT),
          tuples.lists(),
          given.lists());
    }
  }

  /** A column of {@code usual} rows and one {@code other} row. */
  private HeldLists held(Tensor usual, Tensor other) {
    List<Tensor> rows = Arrays.asList(usual, usual, other, usual);
    return HeldLists.of(device, usual.dtype(), usual.shape().rank(), rows);
  }

  @Test
  void validRowsRunOnTheGpu() {
    assertThat(scatterOne(same -> same, same -> same, same -> same)).isTrue();
  }

  @Test
  void invalidRowsFallBackToCpu() {
    UnaryOperator<Tensor> same = tensor -> tensor;
    assertThat(scatterOne(same, at -> Tensor.of(Shape.of(2, 1), new long[] {2, 3}), same))
        .as("an index out of bounds")
        .isFalse();
    assertThat(scatterOne(same, at -> Tensor.of(Shape.of(2, 1), new long[] {-1, 0}), same))
        .as("a negative index")
        .isFalse();
    assertThat(scatterOne(same, at -> Tensor.of(Shape.of(1, 2), new long[] {0, 0}), same))
        .as("a tuple of another depth")
        .isFalse();
    assertThat(scatterOne(same, same, from -> Tensor.zeros(DType.FLOAT32, Shape.of(2, 3))))
        .as("slices of another shape")
        .isFalse();
    assertThat(scatterOne(same, same, from -> Tensor.zeros(DType.FLOAT32, Shape.of(1, 2))))
        .as("fewer updates than tuples")
        .isFalse();
    assertThat(scatterOne(into -> Tensor.zeros(DType.FLOAT32, Shape.of(0, 2)), same, same))
        .as("updates for nothing")
        .isFalse();
  }

  @Test
  void raggedRowsFallBackToCpu() {
    float[] elements = {1, 2, 3, 4, 5, 6, 7};
    int[][] ragged = {{0, 3, 4}, {0, 2, 4, 5, 7}}; // [[1, 2], [3, 4], [5]], [[6, 7]]
    try (HeldLists params =
            new HeldLists(device, DType.FLOAT32, new boolean[] {true, true}, ragged, elements);
        HeldLists indices =
            HeldLists.of(
                device,
                DType.INT64,
                2,
                List.of(
                    Tensor.of(Shape.of(1, 1), new long[] {0}),
                    Tensor.of(Shape.of(1, 1), new long[] {0})));
        ListKernels kernels = new ListKernels(device)) {
      TupleRule rule = new TupleRule(DType.INT64, 1, IndexPolicy.STRICT);
      assertThat(kernels.gather(params.lists(), rule, indices.lists())).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 50, 200, 400, 800, 1600, 3_200, 5_000})
  void outOfMemoryFreesAllBuffers(int room) {
    Gpu.needHost();
    TupleRule rule = new TupleRule(DType.INT64, 1, IndexPolicy.STRICT);
    HostDevices small = new HostDevices(room);
    try (HeldLists params = HeldLists.of(device, DType.FLOAT32, 2, rows(new float[] {1, 2}, 2));
        HeldLists indices = HeldLists.of(device, DType.INT64, 2, rows(new long[] {0, 0}, 1))) {
      assertThatThrownBy(
              () -> {
                try (ListKernels kernels = new ListKernels(small.forThisTask())) {
                  kernels.gather(params.lists(), rule, indices.lists());
                }
              })
          .isInstanceOf(OutOfDeviceMemory.class);
    }
    assertThat(small.refused()).isPositive();
    assertThat(small.taken()).isZero();
  }

  private static List<Tensor> rows(Object pair, int width) {
    Shape shape = Shape.of(2 / width, width);
    Tensor row =
        pair instanceof float[] floats ? Tensor.of(shape, floats) : Tensor.of(shape, (long[]) pair);
    return Collections.nCopies(50, row);
  }

  @Test
  void emptyColumnsGiveAnEmptyColumn() {
    try (HeldLists params = HeldLists.of(device, DType.FLOAT32, 2, List.of());
        HeldLists indices = HeldLists.of(device, DType.INT64, 2, List.of());
        ListKernels kernels = new ListKernels(device)) {
      TupleRule rule = new TupleRule(DType.INT64, 1, IndexPolicy.STRICT);
      check(kernels.gather(params.lists(), rule, indices.lists()), DType.FLOAT32, 2, List.of());
    }
  }
}
