/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Scatter and gather for columns whose rows are tensors of different dimensions. Each method
 * processes all rows, or reports that at least one row needs the CPU: a row is not a tensor, shapes
 * do not match, or an index is rejected.
 */
final class ListKernels implements AutoCloseable {
  /** The most levels of lists that {@code native.cu} supports. */
  static final int MAX_RANK = 8;

  private final Device device;
  private final Device.Memory odd;

  /** The memory that {@link #close} frees: all allocations except those of results. */
  private final List<Device.Memory> held = new ArrayList<>();

  ListKernels(Device device) {
    this.device = device;
    this.odd = memory(Integer.BYTES);
    zero(odd, Integer.BYTES);
  }

  /**
   * Updates {@code target} in place. If the result is false, its contents are undefined.
   *
   * @param reduction not {@link Reduction#MEAN}, which needs update counts
   */
  boolean scatter(
      TensorLists target,
      Reduction reduction,
      TupleRule rule,
      TensorLists indices,
      TensorLists updates) {
    return scatter(measure(target), target.dtype(), reduction, rule, indices, updates);
  }

  private boolean scatter(
      MeasuredRows target,
      DType dtype,
      Reduction reduction,
      TupleRule rule,
      TensorLists indices,
      TensorLists updates) {
    MeasuredRows at = measure(indices);
    MeasuredRows from = measure(updates);
    Native.check(
        Native.scatterRows(
            Native.number(dtype),
            dtype.bytes(),
            Native.number(reduction.step(dtype)),
            target.rows(),
            target.column(),
            at.column(),
            rule.dtype().bytes(),
            rule.depth(),
            rule.negative(),
            rule.bad(),
            from.column(),
            odd.address(),
            device.stream()),
        "scatterRows");
    return isPlain();
  }

  /**
   * {@code scatter_nd}: adds updates to zeros of the shape that each row of {@code shapes} gives.
   */
  Optional<NewLists> scatterNd(
      TensorLists shapes, int rank, TupleRule rule, TensorLists indices, TensorLists updates) {
    DType dtype = updates.dtype();
    int rows = shapes.rows();
    MeasuredRows given = measure(shapes);
    Device.Memory dims = memory(ints((long) rows * rank));
    Native.check(
        Native.dims(
            rows,
            given.column(),
            shapes.dtype().bytes(),
            rank,
            dims.address(),
            odd.address(),
            device.stream()),
        "dims");
    if (!isPlain()) {
      return Optional.empty();
    }
    return ListLayout.of(rows, rank, toHost(dims, rows * rank))
        .flatMap(
            layout ->
                made(
                    layout,
                    shapes.valid(),
                    dtype,
                    zeros -> scatter(zeros, dtype, Reduction.ADD, rule, indices, updates)));
  }

  /** {@code gather_nd}. */
  Optional<NewLists> gather(TensorLists params, TupleRule rule, TensorLists indices) {
    int rows = params.rows();
    MeasuredRows from = measure(params);
    MeasuredRows at = measure(indices);
    if (!isPlain()) {
      return Optional.empty();
    }
    int rank = indices.rank() - 1 + params.rank() - rule.depth();
    return ListLayout.of(rows, rank, gathered(from, rule.depth(), at))
        .flatMap(
            layout ->
                made(
                    layout,
                    indices.valid(),
                    params.dtype(),
                    result -> gather(result, params.dtype(), rule, from, at)));
  }

  private boolean gather(
      MeasuredRows result, DType dtype, TupleRule rule, MeasuredRows params, MeasuredRows indices) {
    Native.check(
        Native.gatherRows(
            dtype.bytes(),
            result.rows(),
            result.column(),
            params.column(),
            indices.column(),
            rule.dtype().bytes(),
            rule.depth(),
            rule.negative(),
            rule.bad(),
            odd.address(),
            device.stream()),
        "gatherRows");
    return isPlain();
  }

  /** Returns the dimensions of gather results: those of the slots, then those of the slices. */
  private int[] gathered(MeasuredRows params, int depth, MeasuredRows indices) {
    int slots = indices.rank() - 1;
    int slice = params.rank() - depth;
    int[] tuples = toHost(indices.dims(), indices.rows() * indices.rank());
    int[] tensors = toHost(params.dims(), params.rows() * params.rank());
    int[] dims = new int[params.rows() * (slots + slice)];
    for (int row = 0; row < params.rows(); row++) {
      int at = row * (slots + slice);
      System.arraycopy(tuples, row * indices.rank(), dims, at, slots);
      System.arraycopy(tensors, row * params.rank() + depth, dims, at + slots, slice);
    }
    return dims;
  }

  /** Fills tensors; returns false if a row needs the CPU. */
  private interface Filling {
    boolean fill(MeasuredRows tensors);
  }

  /** Allocates zero tensors and fills them. */
  private Optional<NewLists> made(ListLayout layout, long valid, DType dtype, Filling filling) {
    int count = layout.count(layout.rank());
    long bytes = (long) count * dtype.bytes();
    Device.Memory elements = memory(Math.max(1, bytes));
    zero(elements, bytes);
    MeasuredRows tensors = place(layout, valid, elements);
    List<NewLists.Level> levels = new ArrayList<>();
    for (int level = 0; level < layout.rank(); level++) {
      levels.add(level(layout, level, tensors.dims()));
    }
    if (!filling.fill(tensors)) {
      return Optional.empty();
    }
    held.remove(elements);
    levels.forEach(level -> held.remove(level.offsets()));
    return Optional.of(new NewLists(levels, elements, count));
  }

  private MeasuredRows place(ListLayout layout, long valid, Device.Memory elements) {
    Device.Memory dims = toDevice(layout.dims());
    Device.Memory starts = toDevice(layout.begins()[layout.rank()]);
    return new MeasuredRows(layout.rank(), layout.rows(), valid, elements.address(), dims, starts);
  }

  private NewLists.Level level(ListLayout layout, int level, Device.Memory dims) {
    int lists = layout.count(level);
    Device.Memory offsets = memory(ints(lists + 1L));
    zero(offsets, Integer.BYTES);
    Native.check(
        Native.offsets(
            layout.rows(),
            dims.address(),
            layout.rank(),
            level,
            toDevice(layout.begins()[level]).address(),
            toDevice(layout.begins()[level + 1]).address(),
            offsets.address(),
            device.stream()),
        "offsets");
    return new NewLists.Level(offsets, lists);
  }

  private MeasuredRows measure(TensorLists lists) {
    MeasuredRows rows =
        new MeasuredRows(
            lists.rank(),
            lists.rows(),
            lists.valid(),
            lists.elements(),
            memory(ints((long) lists.rows() * lists.rank())),
            memory(ints(lists.rows())));
    Native.check(
        Native.measure(
            lists.offsets(),
            lists.valid(),
            lists.rows(),
            rows.dims().address(),
            rows.starts().address(),
            odd.address(),
            device.stream()),
        "measure");
    return rows;
  }

  /** Waits for the kernels; returns whether no row needs the CPU. */
  private boolean isPlain() {
    return toHost(odd, 1)[0] == 0;
  }

  private void zero(Device.Memory memory, long bytes) {
    Native.check(Native.zero(memory.address(), bytes, device.stream()), "zero");
  }

  private Device.Memory memory(long bytes) {
    Device.Memory memory = device.memory(bytes);
    held.add(memory);
    return memory;
  }

  private static long ints(long count) {
    return Math.max(1, count) * Integer.BYTES;
  }

  private Device.Memory toDevice(int[] values) {
    Device.Memory memory = memory(ints(values.length));
    if (values.length > 0) {
      try (DeviceTransfer transfer = new DeviceTransfer(device, Storage.INT, 1, values.length)) {
        transfer.toDevice(values, values.length, memory);
      }
    }
    return memory;
  }

  private int[] toHost(Device.Memory memory, int count) {
    int[] values = new int[count];
    if (count > 0) {
      try (DeviceTransfer transfer = new DeviceTransfer(device, Storage.INT, 1, count)) {
        transfer.toHost(memory, count, new FlatRows(values, 0, 1));
      }
    }
    return values;
  }

  @Override
  public void close() {
    held.forEach(Device.Memory::close);
  }
}
