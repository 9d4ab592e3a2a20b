/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.Serializable;
import java.util.Objects;

/** Applies one gather to many tensors in turn. Thread-safe. */
public final class SingleRowGather implements Serializable {
  private static final long serialVersionUID = 1;

  private final Gather how;
  private final Indexing where;

  /** The plan of the last row; rows tend to have the shapes of earlier ones. */
  private transient volatile Planned last;

  /**
   * Creates a gather.
   *
   * @param how without a fill value
   */
  public SingleRowGather(Gather how, Indexing where) {
    this.how = how;
    this.where = where;
  }

  private record Planned(
      DType dtype,
      Shape tensor,
      Shape indices,
      Shape result,
      SlotResolver slots,
      GatherKernel kernel) {
    boolean isFor(Tensor source, Shape indexShape) {
      return dtype == source.dtype() && tensor.equals(source.shape()) && indices.equals(indexShape);
    }
  }

  /**
   * Returns the slices that {@code indices} name, in a new tensor.
   *
   * @param indices int64
   * @throws io.sparknd.tensor.SparkNdException if the shapes do not match or the policies reject an
   *     index
   */
  public Tensor from(Tensor source, Tensor indices) {
    Planned planned = planned(source, indices);
    SlotResolver slots = planned.slots();
    Tensor result = Tensor.zeros(source.dtype(), planned.result());
    Object[] blocks = source.dtype().storage().allocateBlocks(1);
    blocks[0] = source.array();
    SliceAddresses at = SlotResolver.addresses();
    for (long slot = 0; slot < slots.count(); ) {
      slot = slots.address(indices, slot, at);
      if (slots.units() > 0) {
        planned.kernel().apply(blocks, at, result.array(), slots.units());
      }
    }
    return result;
  }

  private Planned planned(Tensor source, Tensor indices) {
    Planned planned = last;
    if (planned == null || !planned.isFor(source, indices.shape())) {
      DType dtype = source.dtype();
      IndexPlan plan = new GatherCall(how, where, indices).plan(source.shape());
      planned =
          new Planned(
              dtype,
              source.shape(),
              indices.shape(),
              plan.updates(),
              new SlotResolver(plan, where, how.indices(), dtype),
              KernelProviders.automatic().gather(dtype.storage()));
      last = planned;
    }
    return planned;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SingleRowGather that
        && how.equals(that.how)
        && where.equals(that.where);
  }

  @Override
  public int hashCode() {
    return Objects.hash(how, where);
  }
}
