/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.Kernels;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Duplicates;
import io.sparknd.op.HalfRounding;
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

/** Applies one scatter to many tensors in turn. Thread-safe. */
public final class SingleRowScatter implements Serializable {
  private static final long serialVersionUID = 1;

  private final Scatter how;
  private final Indexing where;

  /** The plan of the last row; rows tend to have the shapes of earlier ones. */
  private transient volatile Planned last;

  public SingleRowScatter(Scatter how, Indexing where) {
    this.how = how;
    this.where = where;
  }

  /**
   * A prepared scatter for tensors of given shapes.
   *
   * @param kernel of the dtype
   */
  private record Planned(Shapes shapes, SlotResolver slots, ScatterKernel kernel) {
    void apply(Tensor indices, Object target, Object updates) {
      Object[] blocks = shapes.dtype().storage().allocateBlocks(1);
      blocks[0] = target;
      SliceAddresses at = SlotResolver.addresses();
      for (long slot = 0; slot < slots.count(); ) {
        slot = slots.address(indices, slot, at);
        if (slots.units() > 0) {
          kernel.apply(blocks, at, updates, slots.units());
        }
      }
    }
  }

  /**
   * The dtype, shapes and runs that a plan applies to.
   *
   * @param inRuns null if slices are stored one directly after the other
   */
  private record Shapes(
      DType dtype,
      Shape tensor,
      Shape indices,
      Shape updates,
      ElementRuns inRuns,
      ElementRuns inUpdates) {}

  /**
   * Applies the updates to {@code target} in place. If this fails, the caller must discard {@code
   * target}.
   *
   * @param indices int64
   * @param updates of the target's dtype
   * @return {@code target}
   * @throws io.sparknd.tensor.SparkNdException if shapes or dtypes do not match, or the policies
   *     reject an index
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
   * Applies the updates to {@code target} in place, with both tensors in runs of the same units.
   * Requires {@link #isPlainFold}; units may be bytes only if {@link #moves}.
   *
   * @throws io.sparknd.tensor.SparkNdException if shapes or dtypes do not match, or the policies
   *     reject an index
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

  /** Whether the scatter works without counts of updates and without a second fold. */
  public boolean isPlainFold() {
    return how.reduction() != Reduction.MEAN
        && how.self() == IncludeSelf.INCLUDED
        && how.duplicates() == Duplicates.IN_ORDER
        && how.rounding() == HalfRounding.EACH_STEP;
  }

  /** Whether the scatter only copies slices, so that the element type does not matter. */
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

  private SlotResolver slots(Shapes shapes, Tensor indices) {
    DType dtype = shapes.dtype();
    Tensor updates = Tensor.zeros(dtype, shapes.updates());
    ScatterCall call = new ScatterCall(how, where, indices, updates);
    IndexPlan plan = call.plan(dtype, shapes.tensor());
    return shapes.inRuns() == null
        ? new SlotResolver(plan, where, how.indices(), dtype)
        : new SlotResolver(plan, where, how.indices(), shapes.inRuns(), shapes.inUpdates());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SingleRowScatter that
        && how.equals(that.how)
        && where.equals(that.where);
  }

  @Override
  public int hashCode() {
    return Objects.hash(how, where);
  }
}
