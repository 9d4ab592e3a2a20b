/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceCopy;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.util.BitSet;

/**
 * One version of a matrix in blocks of rows, like a partition of the engine: later versions share
 * the blocks that they do not change.
 *
 * @param rows rows per block
 */
record VersionedTensor(DType dtype, Shape shape, int rows, Object[] blocks) {

  static VersionedTensor of(Tensor tensor, int rows) {
    Storage storage = tensor.dtype().storage();
    int units = (int) tensor.shape().dim(1) * tensor.dtype().units();
    int all = (int) tensor.shape().dim(0);
    Object[] blocks = storage.allocateBlocks(-Math.floorDiv(-all, rows));
    for (int block = 0; block < blocks.length; block++) {
      int end = Math.min(all, (block + 1) * rows);
      blocks[block] = storage.copyOfRange(tensor.array(), block * rows * units, end * units);
    }
    return new VersionedTensor(tensor.dtype(), tensor.shape(), rows, blocks);
  }

  /** Returns the next version, computed as {@code PartitionFold} does. */
  VersionedTensor scatter(KernelProvider kernels, ScatterCall call) {
    IndexPlan plan = call.plan(dtype, shape);
    long[] offsets = SliceOffsets.of(plan, call.indices(), call.how().indices()).resolveAll();
    BitSet shared = new BitSet();
    shared.set(0, blocks.length);
    SliceBlocks written =
        SliceBlocks.copyOnWrite(dtype.storage(), blocks, slices(plan), units(plan), shared);
    SliceFold fold = SliceFold.ofVersion(kernels, dtype, call.how(), written, () -> blocks);
    int half = offsets.length / 2;
    fold.apply(offsets, null, 0, 0, half, call.updates().array());
    fold.apply(offsets, null, 0, half, offsets.length, call.updates().array());
    fold.finish();
    return new VersionedTensor(dtype, shape, rows, written.arrays());
  }

  Tensor gather(KernelProvider kernels, GatherCall call) {
    IndexPlan plan = call.plan(shape);
    long[] offsets = SliceOffsets.of(plan, call.indices(), call.how().indices()).resolveAll();
    Tensor result = Tensor.zeros(dtype, plan.updates());
    SliceCopy copy =
        SliceCopy.fromVersion(
            kernels,
            dtype.storage(),
            SliceBlocks.owned(dtype.storage(), blocks, slices(plan), units(plan)));
    copy.apply(offsets, null, 0, 0, offsets.length, result.array());
    copy.finish();
    return result;
  }

  private int units(IndexPlan plan) {
    return (int) plan.slice().elements() * dtype.units();
  }

  /** Slices per block. */
  private int slices(IndexPlan plan) {
    return rows * (int) (shape.dim(1) / plan.slice().elements());
  }

  /** Returns the whole matrix. */
  Tensor tensor() {
    Tensor tensor = Tensor.zeros(dtype, shape);
    int at = 0;
    for (Object block : blocks) {
      int length = dtype.storage().length(block);
      System.arraycopy(block, 0, tensor.array(), at, length);
      at += length;
    }
    return tensor;
  }
}
