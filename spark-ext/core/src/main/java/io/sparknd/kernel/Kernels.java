/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.op.Duplicates;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import io.sparknd.tensor.TensorErrors;

/**
 * Runs scatter and gather on local tensors.
 *
 * <pre>{@code
 * Tensor next = Kernels.auto().scatter(table, TensorFlow.tensorScatterNdAdd(indices, updates));
 * }</pre>
 */
public final class Kernels {
  /** Slots resolved at a time by a gather. */
  private static final int GATHER_CHUNK = 4096;

  private final KernelProvider provider;
  private final int threads;
  private final UpdateSortPolicy sorting;

  private Kernels(KernelProvider provider, int threads, UpdateSortPolicy sorting) {
    this.provider = provider;
    this.threads = threads;
    this.sorting = sorting;
  }

  /** Returns the fastest CPU kernels that this JVM can load. */
  public static Kernels auto() {
    return named("auto");
  }

  /**
   * Returns the kernels of one provider.
   *
   * @param provider {@code auto}, {@code vector}, {@code scalar}, or an installed provider such as
   *     {@code cudf}
   * @throws io.sparknd.tensor.SparkNdException if the provider is unknown or cannot be loaded
   */
  public static Kernels named(String provider) {
    return new Kernels(KernelProviders.named(provider), 1, UpdateSortPolicy.DEFAULT);
  }

  /**
   * Returns these kernels on {@code count} threads. Results are the same bit for bit.
   *
   * @param count at least 1, which is the default
   * @throws io.sparknd.tensor.SparkNdException if {@code count} is less than 1
   */
  public Kernels withThreads(int count) {
    if (count < 1) {
      throw KernelErrors.badThreads(count);
    }
    return new Kernels(provider, count, sorting);
  }

  /** Returns these kernels with another policy for sorting updates. */
  Kernels withSorting(UpdateSortPolicy other) {
    return new Kernels(provider, threads, other);
  }

  /**
   * Returns a new tensor: {@code data} with the updates of {@code call} applied.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@link ScatterCall#plan} or the call's policies
   *     reject the call; {@code data} is never changed
   */
  public Tensor scatter(Tensor data, ScatterCall call) {
    IndexPlan plan = call.plan(data.dtype(), data.shape());
    Tensor result = data.copy();
    run(result, call, plan, offsets(call, plan)::resolve);
    return result;
  }

  /**
   * Applies {@code given} to {@code target} itself. Every index is checked before the first write,
   * so a rejected call changes nothing. The resolved indices take 4 bytes a tuple meanwhile, and
   * updates that share the array of {@code target} are copied first.
   */
  public void scatterInPlace(Tensor target, ScatterCall given) {
    IndexPlan plan = given.plan(target.dtype(), target.shape());
    ScatterCall call = apart(given, target);
    SliceOffsets offsets = offsets(call, plan);
    if (target.elements() == 0) {
      WorkerThreads.runRanges(threads, plan.slots(), offsets::check);
      return;
    }
    run(target, call, plan, ResolvedOffsets.of(offsets, (int) plan.slots(), threads));
  }

  private static ScatterCall apart(ScatterCall call, Tensor target) {
    return call.updates().array() == target.array()
        ? new ScatterCall(call.how(), call.where(), call.indices(), call.updates().copy())
        : call;
  }

  private static SliceOffsets offsets(ScatterCall call, IndexPlan plan) {
    SliceOffsets offsets = SliceOffsets.of(plan, call.indices(), call.how().indices());
    if (call.how().duplicates() == Duplicates.ERROR) {
      offsets.rejectDuplicates(offsets.resolveAll());
    }
    return offsets;
  }

  private void run(Tensor target, ScatterCall call, IndexPlan plan, OffsetSource offsets) {
    SliceBlocks blocks = blocks(target, plan);
    if (SortedFold.shouldSort(sorting, target, plan, blocks)) {
      new SortedFold(provider, sorting, target, call, plan, offsets, blocks, threads).run();
      return;
    }
    if (threads == 1) {
      runAll(target, call, plan, offsets, blocks);
      return;
    }
    long sliceBytes = (long) blocks.units() * Math.max(1, target.dtype().storage().bytes());
    WorkerThreads.run(
        threads,
        number ->
            runPartition(
                new ThreadPartition(number, threads, sliceBytes),
                target,
                call,
                plan,
                offsets,
                blocks));
  }

  private void runAll(
      Tensor target, ScatterCall call, IndexPlan plan, OffsetSource offsets, SliceBlocks blocks) {
    SliceFold fold = new SliceFold(provider, target.dtype(), call.how(), blocks);
    long[] chunk = chunk(plan);
    for (long slot = 0; slot < plan.slots(); slot += chunk.length) {
      int count = (int) Math.min(chunk.length, plan.slots() - slot);
      offsets.read(slot, count, chunk);
      fold.apply(chunk, null, (int) slot, 0, count, call.updates().array());
    }
    fold.finish();
  }

  /** Reads all updates and applies those of the partition, so that each slice's order is kept. */
  private void runPartition(
      ThreadPartition partition,
      Tensor target,
      ScatterCall call,
      IndexPlan plan,
      OffsetSource offsets,
      SliceBlocks blocks) {
    SliceFold fold = new SliceFold(provider, target.dtype(), call.how(), blocks);
    long[] chunk = chunk(plan);
    int[] rows = new int[chunk.length];
    for (long slot = 0; slot < plan.slots(); slot += chunk.length) {
      int count = (int) Math.min(chunk.length, plan.slots() - slot);
      offsets.read(slot, count, chunk);
      int kept = partition.select(chunk, count, rows, (int) slot);
      fold.apply(chunk, rows, 0, 0, kept, call.updates().array());
    }
    fold.finish();
  }

  private static long[] chunk(IndexPlan plan) {
    return new long[(int) Math.min(OffsetSource.CHUNK, plan.slots())];
  }

  /**
   * Returns the slices that {@code call} selects, of shape {@link IndexPlan#updates}.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@link GatherCall#plan} or the call's policies
   *     reject the call, or the result is too large for one array
   */
  public Tensor gather(Tensor data, GatherCall call) {
    IndexPlan plan = call.plan(data.shape());
    Tensor result = emptyResult(data, call, plan);
    SliceOffsets offsets = SliceOffsets.of(plan, call.indices(), call.how().indices());
    SliceBlocks blocks = blocks(data, plan);
    WorkerThreads.runRanges(
        threads, plan.slots(), (from, to) -> copySlots(from, to, offsets, blocks, result));
    return result;
  }

  private void copySlots(
      long from, long to, SliceOffsets offsets, SliceBlocks blocks, Tensor result) {
    SliceCopy copy = new SliceCopy(provider, result.dtype().storage(), blocks);
    long[] chunk = new long[(int) Math.min(GATHER_CHUNK, to - from)];
    for (long slot = from; slot < to; slot += chunk.length) {
      int count = (int) Math.min(chunk.length, to - slot);
      offsets.resolve(slot, count, chunk);
      copy.apply(chunk, null, (int) slot, 0, count, result.array());
    }
    copy.finish();
  }

  private static Tensor emptyResult(Tensor data, GatherCall call, IndexPlan plan) {
    return call.fillValue(data.dtype())
        .map(value -> Tensor.fill(data.dtype(), plan.updates(), value))
        .orElseGet(() -> Tensor.zeros(data.dtype(), plan.updates()));
  }

  /** Returns the slices of a local tensor, which is one block. */
  private static SliceBlocks blocks(Tensor tensor, IndexPlan plan) {
    Storage storage = tensor.dtype().storage();
    Object[] arrays = storage.allocateBlocks(1);
    arrays[0] = tensor.array();
    long units = plan.slice().elements() * tensor.dtype().units();
    if (tensor.elements() == 0) {
      return SliceBlocks.owned(storage, arrays, 1, 0);
    }
    if (plan.slices() > Storage.MAX_LENGTH) {
      throw TensorErrors.tooLargeForOneArray(tensor.dtype(), tensor.shape());
    }
    return SliceBlocks.owned(storage, arrays, (int) plan.slices(), (int) units);
  }
}
