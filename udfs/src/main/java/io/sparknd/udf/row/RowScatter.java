/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.Kernels;
import io.sparknd.kernel.ScatterKernel;
import io.sparknd.kernel.SliceAddresses;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
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

  /**
   * @param kernel of the dtype
   */
  private record Planned(Shapes shapes, RowSlots slots, ScatterKernel kernel) {
    void apply(Tensor indices, Object target, Object updates) {
      Object[] blocks = shapes.dtype().storage().allocateBlocks(1);
      blocks[0] = target;
      SliceAddresses at = RowSlots.addresses();
      for (long slot = 0; slot < slots.count(); ) {
        slot = slots.address(indices, slot, at);
        if (slots.units() > 0) {
          kernel.apply(blocks, at, updates, slots.units());
        }
      }
    }
  }

  /**
   * What a plan is for.
   *
   * @param inRuns null where slices lie one behind the other
   */
  private record Shapes(
      DType dtype,
      Shape tensor,
      Shape indices,
      Shape updates,
      SlotRuns inRuns,
      SlotRuns inUpdates) {}

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
    Shapes shapes =
        new Shapes(target.dtype(), target.shape(), indices.shape(), updates.shape(), null, null);
    planned(shapes, indices).apply(indices, target.array(), updates.array());
    return target;
  }

  /**
   * The same with tensors that lie in runs of the same units, for calls that {@link #isPlainFold};
   * these are bytes only if it {@link #moves}.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link ScatterCall#plan} and the policies say
   */
  public void into(RunTensor target, Tensor indices, RunTensor updates) {
    Shapes shapes =
        new Shapes(
            target.unit(),
            target.shape(),
            indices.shape(),
            updates.shape(),
            target.runs(),
            updates.runs());
    Planned planned = planned(shapes, indices);
    if (moves()) {
      planned.slots().move(indices, updates, target);
    } else {
      planned.apply(indices, target.array(), updates.array());
    }
  }

  /** Whether updates need no count of how many each slice has had. */
  public boolean isPlainFold() {
    return how.reduction() != Reduction.MEAN
        && how.self() == IncludeSelf.INCLUDED
        && how.duplicates() == Duplicates.IN_ORDER;
  }

  /** Whether slices only move to where tuples say, whatever their elements are. */
  public boolean moves() {
    return isPlainFold() && how.reduction() == Reduction.NONE && where.equals(Indexing.tuples());
  }

  private Planned planned(Shapes shapes, Tensor indices) {
    Planned planned = last;
    if (planned == null || !planned.shapes().equals(shapes)) {
      planned =
          new Planned(
              shapes,
              slots(shapes, indices),
              KernelProviders.automatic().scatter(shapes.dtype(), how.reduction()));
      last = planned;
    }
    return planned;
  }

  private RowSlots slots(Shapes shapes, Tensor indices) {
    DType dtype = shapes.dtype();
    Tensor updates = Tensor.zeros(dtype, shapes.updates());
    ScatterCall call = new ScatterCall(how, where, indices, updates);
    IndexPlan plan = call.plan(dtype, shapes.tensor());
    return shapes.inRuns() == null
        ? new RowSlots(plan, where, how.indices(), dtype)
        : new RowSlots(plan, where, how.indices(), shapes.inRuns(), shapes.inUpdates());
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
