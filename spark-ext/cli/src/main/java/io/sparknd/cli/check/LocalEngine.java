/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.kernel.Kernels;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/** Runs calls on tensors and kernels of this JVM. */
record LocalEngine(String name, Kernels kernels) implements CaseEngine {
  @Override
  public Tensor run(CaseCall call) {
    if (call instanceof CaseCall.ScatterInto scatter) {
      return kernels.scatter(scatter.data(), scatter.call());
    }
    if (call instanceof CaseCall.ScatterIntoZeros scatter) {
      return kernels.scatter(zeros(scatter), scatter.call());
    }
    if (call instanceof CaseCall.GatherFrom gather) {
      return kernels.gather(gather.data(), gather.call());
    }
    if (call instanceof CaseCall.LookupIn lookup) {
      return lookup.call().run(lookup.params());
    }
    return offsets((CaseCall.OffsetsInto) call);
  }

  /**
   * Checks the call before it allocates, so that an error in the call is reported before a tensor
   * that is too large for an array.
   */
  private static Tensor zeros(CaseCall.ScatterIntoZeros scatter) {
    IndexPlan plan = scatter.call().plan(scatter.dtype(), scatter.shape());
    SliceOffsets.of(plan, scatter.call().indices(), scatter.call().how().indices()).check();
    return Tensor.zeros(scatter.dtype(), scatter.shape());
  }

  static Tensor offsets(CaseCall.OffsetsInto call) {
    IndexPlan plan = Indexing.tuples().plan(call.shape(), call.indices().shape());
    long[] offsets = SliceOffsets.of(plan, call.indices(), call.policy()).resolveAll();
    Shape tuples = call.indices().shape().first(call.indices().shape().rank() - 1);
    return Tensor.wrap(DType.INT64, tuples, offsets);
  }
}
