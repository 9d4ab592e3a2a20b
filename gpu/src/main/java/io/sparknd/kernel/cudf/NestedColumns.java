/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Scatter and gather on GPU columns whose rows are tensors: {@code LIST} nested to the depth of the
 * rank, of numbers or booleans. A result row is NULL if an argument is. If a row needs the CPU, the
 * result is empty: lists are ragged or have nulls, shapes do not match, an index is rejected,
 * device memory does not suffice, or the GPU cannot run the kernels. The caller closes arguments
 * and results.
 */
public final class NestedColumns {
  /**
   * The most lists of a level, or elements, of a column: those that cuDF's builder of columns in
   * host memory can append. It checks none of its writes.
   */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 2;

  private static final Map<DType, io.sparknd.tensor.DType> DTYPES =
      Map.of(
          DType.BOOL8, io.sparknd.tensor.DType.BOOL,
          DType.INT8, io.sparknd.tensor.DType.INT8,
          DType.INT16, io.sparknd.tensor.DType.INT16,
          DType.INT32, io.sparknd.tensor.DType.INT32,
          DType.INT64, io.sparknd.tensor.DType.INT64,
          DType.FLOAT32, io.sparknd.tensor.DType.FLOAT32,
          DType.FLOAT64, io.sparknd.tensor.DType.FLOAT64);

  private static final Devices DEVICES = new CudfDevices();

  private NestedColumns() {}

  /** Returns the result of {@code call}; empty if the devices cannot run it. */
  static <T> Optional<T> onDevice(Devices devices, Supplier<Optional<T>> call) {
    return devices.obstacle().isPresent() ? Optional.empty() : OutOfDeviceMemory.orEmpty(call);
  }

  /**
   * {@code tensor_scatter_nd_*}.
   *
   * @param reduction not {@link Reduction#MEAN}
   * @param depth the length of an index tuple
   */
  public static Optional<ColumnVector> scatter(
      Reduction reduction,
      IndexPolicy policy,
      int depth,
      ColumnVector tensor,
      ColumnVector indices,
      ColumnVector updates) {
    return onDevice(DEVICES, () -> scattered(reduction, policy, depth, tensor, indices, updates));
  }

  private static Optional<ColumnVector> scattered(
      Reduction reduction,
      IndexPolicy policy,
      int depth,
      ColumnVector tensor,
      ColumnVector indices,
      ColumnVector updates) {
    ColumnVector result =
        tensor.mergeAndSetValidity(BinaryOp.BITWISE_AND, tensor, indices, updates);
    boolean done = false;
    try (Opened into = Opened.of(result);
        Opened at = Opened.of(indices);
        Opened from = Opened.of(updates)) {
      if (into.isPlain() && at.isPlain() && from.isPlain()) {
        done = scatter(into.lists(), reduction, new TupleRule(at.dtype(), depth, policy), at, from);
      }
    } finally {
      if (!done) {
        result.close();
      }
    }
    return done ? Optional.of(withoutHidden(result)) : Optional.empty();
  }

  private static boolean scatter(
      TensorLists target, Reduction reduction, TupleRule rule, Opened indices, Opened updates) {
    try (ListKernels kernels = new ListKernels(DEVICES.forThisTask())) {
      return kernels.scatter(target, reduction, rule, indices.lists(), updates.lists());
    }
  }

  /**
   * {@code scatter_nd}.
   *
   * @param depth the length of an index tuple
   * @param shapes lists of dimensions
   * @param rank the number of dimensions
   */
  public static Optional<ColumnVector> scatterNd(
      IndexPolicy policy,
      int depth,
      ColumnVector indices,
      ColumnVector updates,
      ColumnVector shapes,
      int rank) {
    return onDevice(DEVICES, () -> scatteredNd(policy, depth, indices, updates, shapes, rank));
  }

  private static Optional<ColumnVector> scatteredNd(
      IndexPolicy policy,
      int depth,
      ColumnVector indices,
      ColumnVector updates,
      ColumnVector shapes,
      int rank) {
    try (Opened at = Opened.of(indices);
        Opened from = Opened.of(updates);
        Opened dims = Opened.of(shapes)) {
      if (!at.isPlain() || !from.isPlain() || !dims.isPlain()) {
        return Optional.empty();
      }
      try (ListKernels kernels = new ListKernels(DEVICES.forThisTask())) {
        TupleRule rule = new TupleRule(at.dtype(), depth, policy);
        return kernels
            .scatterNd(dims.lists(), rank, rule, at.lists(), from.lists())
            .map(made -> column(from.leafType(), made, indices, updates, shapes));
      }
    }
  }

  /**
   * {@code gather_nd}.
   *
   * @param depth the length of an index tuple
   */
  public static Optional<ColumnVector> gather(
      IndexPolicy policy, int depth, ColumnVector params, ColumnVector indices) {
    return onDevice(DEVICES, () -> gathered(policy, depth, params, indices));
  }

  private static Optional<ColumnVector> gathered(
      IndexPolicy policy, int depth, ColumnVector params, ColumnVector indices) {
    try (Opened from = Opened.of(params);
        Opened at = Opened.of(indices)) {
      if (!from.isPlain() || !at.isPlain()) {
        return Optional.empty();
      }
      try (ListKernels kernels = new ListKernels(DEVICES.forThisTask())) {
        return kernels
            .gather(from.lists(), new TupleRule(at.dtype(), depth, policy), at.lists())
            .map(made -> column(from.leafType(), made, params, indices));
      }
    }
  }

  /** Converts new lists to a column; a row is NULL if an argument is. */
  private static ColumnVector column(DType leaf, NewLists made, ColumnVector... arguments) {
    try (made) {
      ColumnVector column =
          new ColumnVector(
              leaf, made.count(), Optional.of(0L), buffer(made.takeElements()), null, null);
      for (int level = made.levels().size() - 1; level >= 0; level--) {
        NewLists.Level lists = made.levels().get(level);
        try (ColumnVector inner = column;
            ColumnVector offsets =
                new ColumnVector(
                    DType.INT32,
                    lists.lists() + 1L,
                    Optional.of(0L),
                    buffer(made.takeOffsets(level)),
                    null,
                    null)) {
          column = inner.makeListFromOffsets(lists.lists(), offsets);
        }
      }
      try (ColumnVector whole = column) {
        return withoutHidden(whole.mergeAndSetValidity(BinaryOp.BITWISE_AND, arguments));
      }
    }
  }

  private static DeviceMemoryBuffer buffer(Device.Memory memory) {
    return ((CudfDevice.OnDevice) memory).buffer();
  }

  /**
   * Returns {@code column} without list contents in NULL rows; closes {@code column} if it was
   * copied.
   */
  private static ColumnVector withoutHidden(ColumnVector column) {
    if (!column.hasNulls() || !column.hasNonEmptyNulls()) {
      return column;
    }
    try (column) {
      return column.purgeNonEmptyNulls();
    }
  }

  /** A column of lists, level by level. */
  private record Opened(
      List<ColumnView> inner, int rows, long valid, long[] offsets, ColumnView leaf)
      implements AutoCloseable {

    static Opened of(ColumnVector column) {
      List<ColumnView> inner = new ArrayList<>();
      List<Long> offsets = new ArrayList<>();
      ColumnView view = column;
      while (view.getType().equals(DType.LIST)) {
        offsets.add(address(view.getOffsets()));
        view = view.getChildColumnView(0);
        inner.add(view);
      }
      return new Opened(
          inner,
          (int) column.getRowCount(),
          column.hasNulls() ? address(column.getValid()) : 0,
          offsets.stream().mapToLong(Long::longValue).toArray(),
          view);
    }

    private static long address(BaseDeviceMemoryBuffer buffer) {
      return buffer == null ? 0 : buffer.getAddress();
    }

    /** Whether the kernels support the column. */
    boolean isPlain() {
      return offsets.length > 0
          && offsets.length <= ListKernels.MAX_RANK
          && DTYPES.containsKey(leaf.getType())
          && inner.stream().allMatch(view -> view.getNullCount() == 0);
    }

    DType leafType() {
      return leaf.getType();
    }

    io.sparknd.tensor.DType dtype() {
      return DTYPES.get(leaf.getType());
    }

    TensorLists lists() {
      return new TensorLists(dtype(), rows, valid, offsets, address(leaf.getData()));
    }

    @Override
    public void close() {
      inner.forEach(ColumnView::close);
    }
  }
}
