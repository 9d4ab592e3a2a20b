/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.kernel.Addresses;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.Kernels;
import io.sparknd.kernel.ScatterKernel;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Indexing;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.Self;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.Serializable;
import java.util.Objects;

/** One scatter, done to many tensors. Threads may share it. */
public final class RowScatter implements Serializable {
  private static final long serialVersionUID = 1;

  private final Scatter how;
  private final Indexing where;

  /** Of the last row: rows tend to have the shapes of those before them. */
  private transient volatile Planned last;

  public RowScatter(Scatter how, Indexing where) {
    this.how = how;
    this.where = where;
  }

  private record Planned(
      DType dtype, Shape tensor, Shape indices, Shape updates, Slots slots, ScatterKernel kernel) {
    boolean isFor(Tensor target, Shape indexShape, Shape updateShape) {
      return dtype == target.dtype()
          && tensor.equals(target.shape())
          && indices.equals(indexShape)
          && updates.equals(updateShape);
    }
  }

  /**
   * Applies the updates to {@code target} itself, which the caller drops if this fails.
   *
   * @param indices int64
   * @param updates of the target's dtype
   * @return {@code target}
   * @throws io.sparknd.tensor.SparkNdException as {@link ScatterCall#plan} and the policies say
   */
  public Tensor into(Tensor target, Tensor indices, Tensor updates) {
    if (!isPlainFold()) {
      ScatterCall call = new ScatterCall(how, where, indices, updates);
      Kernels.auto().scatterInPlace(target, call);
      return target;
    }
    Planned planned = planned(target, indices, updates);
    Slots slots = planned.slots();
    Object[] blocks = target.dtype().storage().allocateBlocks(1);
    blocks[0] = target.array();
    Addresses at = Slots.addresses();
    for (long slot = 0; slot < slots.count(); ) {
      slot = slots.address(indices, slot, at);
      if (slots.units() > 0) {
        planned.kernel().apply(blocks, at, updates.array(), slots.units());
      }
    }
    return target;
  }

  /** Whether updates need no count of how many each slice has had. */
  private boolean isPlainFold() {
    return how.reduction() != Reduction.MEAN
        && how.self() == Self.INCLUDED
        && how.duplicates() == Duplicates.IN_ORDER;
  }

  private Planned planned(Tensor target, Tensor indices, Tensor updates) {
    Planned planned = last;
    if (planned == null || !planned.isFor(target, indices.shape(), updates.shape())) {
      DType dtype = target.dtype();
      ScatterCall call = new ScatterCall(how, where, indices, updates);
      planned =
          new Planned(
              dtype,
              target.shape(),
              indices.shape(),
              updates.shape(),
              new Slots(call.plan(dtype, target.shape()), where, how.indices(), dtype),
              KernelProviders.automatic().scatter(dtype, how.reduction()));
      last = planned;
    }
    return planned;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowScatter that && how.equals(that.how) && where.equals(that.where);
  }

  @Override
  public int hashCode() {
    return Objects.hash(how, where);
  }
}
