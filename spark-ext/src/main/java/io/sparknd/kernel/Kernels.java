/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.Duplicates;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Offsets;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;

/**
 * Scatter and gather on local tensors.
 *
 * <pre>{@code
 * Tensor next = Kernels.auto().scatter(table, TensorFlow.tensorScatterNdAdd(indices, updates));
 * }</pre>
 */
public final class Kernels {
  /** Slots resolved at a time, so that their offsets stay in cache. */
  private static final int CHUNK = 4096;

  private final KernelProvider provider;

  private Kernels(KernelProvider provider) {
    this.provider = provider;
  }

  /** The fastest kernels that this JVM can load. */
  public static Kernels auto() {
    return named("auto");
  }

  /**
   * The kernels of one provider.
   *
   * @param provider {@code auto}, {@code vector} or {@code scalar}
   * @throws io.sparknd.tensor.SparkNdException if it is unknown or cannot be loaded
   */
  public static Kernels named(String provider) {
    return new Kernels(KernelProviders.named(provider));
  }

  /**
   * A new tensor: {@code data} with the updates of {@code call}.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link ScatterCall#plan} and the call's policies
   *     say; {@code data} is never changed
   */
  public Tensor scatter(Tensor data, ScatterCall call) {
    IndexPlan plan = call.plan(data.dtype(), data.shape());
    Tensor result = data.copy();
    run(result, call, plan, offsets(call, plan));
    return result;
  }

  /**
   * Applies {@code call} to {@code target} itself. Every index is checked before the first write,
   * so a call that fails has changed nothing.
   */
  public void scatterInPlace(Tensor target, ScatterCall call) {
    IndexPlan plan = call.plan(target.dtype(), target.shape());
    Offsets offsets = offsets(call, plan);
    offsets.check();
    run(target, call, plan, offsets);
  }

  private static Offsets offsets(ScatterCall call, IndexPlan plan) {
    Offsets offsets = Offsets.of(plan, call.indices(), call.how().indices());
    if (call.how().duplicates() == Duplicates.ERROR) {
      offsets.refuseDuplicates(offsets.resolveAll());
    }
    return offsets;
  }

  private void run(Tensor target, ScatterCall call, IndexPlan plan, Offsets offsets) {
    SliceFold fold = new SliceFold(provider, target.dtype(), call.how(), blocks(target, plan));
    long[] chunk = new long[(int) Math.min(CHUNK, plan.slots())];
    for (long slot = 0; slot < plan.slots(); slot += chunk.length) {
      int count = (int) Math.min(chunk.length, plan.slots() - slot);
      offsets.resolve(slot, count, chunk);
      fold.apply(chunk, null, (int) slot, 0, count, call.updates().array());
    }
    fold.finish();
  }

  /**
   * The slices that {@code call} names, of shape {@link IndexPlan#updates}.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link GatherCall#plan} and the call's policies
   *     say, or if the result is too large for one array
   */
  public Tensor gather(Tensor data, GatherCall call) {
    IndexPlan plan = call.plan(data.shape());
    Tensor result = emptyResult(data, call, plan);
    SliceCopy copy = new SliceCopy(provider, data.dtype().storage(), blocks(data, plan));
    Offsets offsets = Offsets.of(plan, call.indices(), call.how().indices());
    long[] chunk = new long[(int) Math.min(CHUNK, plan.slots())];
    for (long slot = 0; slot < plan.slots(); slot += chunk.length) {
      int count = (int) Math.min(chunk.length, plan.slots() - slot);
      offsets.resolve(slot, count, chunk);
      copy.apply(chunk, null, (int) slot, 0, count, result.array());
    }
    return result;
  }

  private static Tensor emptyResult(Tensor data, GatherCall call, IndexPlan plan) {
    return call.fillValue()
        .map(value -> Tensor.fill(data.dtype(), plan.updates(), value))
        .orElseGet(() -> Tensor.zeros(data.dtype(), plan.updates()));
  }

  /** A local tensor is one block. */
  private static Blocks blocks(Tensor tensor, IndexPlan plan) {
    Storage storage = tensor.dtype().storage();
    Object[] arrays = storage.allocateBlocks(1);
    arrays[0] = tensor.array();
    long units = plan.slice().elements() * tensor.dtype().units();
    if (tensor.elements() == 0) {
      return Blocks.owned(storage, arrays, 1, 0);
    }
    if (plan.slices() > Storage.MAX_LENGTH) {
      throw NdErrors.tooLargeForOneArray(tensor.dtype(), tensor.shape());
    }
    return Blocks.owned(storage, arrays, (int) plan.slices(), (int) units);
  }
}
