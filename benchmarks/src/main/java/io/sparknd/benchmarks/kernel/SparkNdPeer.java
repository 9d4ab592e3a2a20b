/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.Kernels;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceCopy;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;

/** SparkND through its public API; every index is checked. */
final class SparkNdPeer implements Peer {
  private static final int CHUNK = 4096;

  private final Work.Op op;
  private final Storage storage;
  private final Kernels kernels;
  private final Parts parts;
  private final Tensor tensor;
  private final Tensor indices;
  private final Tensor updates;
  private Tensor result;

  SparkNdPeer(Operands operands, int threads) {
    Work work = operands.work();
    op = work.op();
    DType dtype = work.type().dtype();
    storage = dtype.storage();
    kernels = kernels(threads);
    parts = new Parts(threads);
    tensor = Tensor.wrap(dtype, Shape.of(work.dims()), operands.tensor());
    indices = Tensor.wrap(DType.INT64, Shape.of(work.tupleDims()), operands.tuples());
    Shape rows = Shape.of(work.rowDims());
    updates = op.gathers() ? null : Tensor.wrap(dtype, rows, operands.updates());
    result = op.gathers() ? Tensor.zeros(dtype, rows) : null;
  }

  /** The kernels with the given number of threads. */
  private static Kernels kernels(int threads) {
    return Kernels.auto().withThreads(threads);
  }

  @Override
  public String name() {
    return "SparkND";
  }

  @Override
  public Role role() {
    return Role.OURS;
  }

  @Override
  public void run() throws Exception {
    switch (op) {
      case GATHER -> gatherInto();
      case GATHER_NEW -> result = kernels.gather(tensor, GatherCall.of(Gather.strict(), indices));
      case UPDATE -> scatter(Scatter.update());
      case ADD -> scatter(Scatter.add());
      case MAX -> scatter(Scatter.max());
    }
  }

  private void scatter(Scatter how) {
    kernels.scatterInPlace(tensor, ScatterCall.of(how, indices, updates));
  }

  /** As {@link Kernels#gather}, but into a given result, which the threads divide. */
  private void gatherInto() throws Exception {
    GatherCall call = GatherCall.of(Gather.strict(), indices);
    IndexPlan plan = call.plan(tensor.shape());
    SliceOffsets offsets = SliceOffsets.of(plan, indices, call.how().indices());
    parts.run((int) plan.slots(), (from, to) -> gatherInto(plan, offsets, from, to));
  }

  private void gatherInto(IndexPlan plan, SliceOffsets offsets, int from, int to) {
    Object[] arrays = storage.allocateBlocks(1);
    arrays[0] = tensor.array();
    SliceBlocks blocks =
        SliceBlocks.owned(storage, arrays, (int) plan.slices(), (int) plan.slice().elements());
    SliceCopy copy = new SliceCopy(KernelProviders.automatic(), storage, blocks);
    long[] chunk = new long[CHUNK];
    for (int slot = from; slot < to; slot += CHUNK) {
      int count = Math.min(CHUNK, to - slot);
      offsets.resolve(slot, count, chunk);
      copy.apply(chunk, null, slot, 0, count, result.array());
    }
  }

  @Override
  public ResultElements answer() {
    return ResultElements.of((op.gathers() ? result : tensor).array());
  }

  @Override
  public void close() {
    parts.close();
  }
}
