/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.kernel.Addresses;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.Offsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;

/** Where the slots of an index tensor lead in a tensor that is one array. Immutable. */
final class Slots {
  /** Made once a thread: they are larger than most tensors of a row. */
  private static final ThreadLocal<Addresses> ADDRESSES = ThreadLocal.withInitial(Addresses::new);

  private final IndexPlan plan;
  private final IndexPolicy policy;

  /** Null where slots are not plain tuples. */
  private final TupleOffset tuple;

  /** Pieces of a slice; 1 where both sides have it in one. */
  private final int pieces;

  private final int units;

  /** Null where slices lie one behind the other. */
  private final Runs inTensor;

  private final Runs inOther;

  Slots(IndexPlan plan, Indexing where, IndexPolicy policy, DType dtype) {
    this.plan = plan;
    this.policy = policy;
    this.tuple = tuple(plan, where, policy);
    this.pieces = 1;
    this.units = plan.tensor().elements() == 0 ? 0 : (int) plan.slice().elements() * dtype.units();
    this.inTensor = null;
    this.inOther = null;
  }

  /** Of a tensor and updates that have elements, of one unit each. */
  Slots(IndexPlan plan, Indexing where, IndexPolicy policy, Runs inTensor, Runs inOther) {
    this.plan = plan;
    this.policy = policy;
    this.tuple = tuple(plan, where, policy);
    int slice = (int) plan.slice().elements();
    // a slice is an element, a run of either side, or several
    this.units = Math.min(slice, inTensor.length());
    this.pieces = slice / units;
    this.inTensor = inTensor;
    this.inOther = inOther;
  }

  private static TupleOffset tuple(IndexPlan plan, Indexing where, IndexPolicy policy) {
    return where.equals(Indexing.tuples()) ? new TupleOffset(plan, policy) : null;
  }

  /** This thread's addresses, to be used up before the next call. */
  static Addresses addresses() {
    return ADDRESSES.get();
  }

  long count() {
    return plan.slots();
  }

  /** Length of what lies in one piece, of a slice at most; 0 where there is nothing to move. */
  int units() {
    return units;
  }

  /**
   * Sets {@code at} to the slots from {@code slot} on, as many as it has room for, less those that
   * are dropped.
   *
   * @return the first slot that was not looked at
   * @throws io.sparknd.tensor.SparkNdException for the lowest slot that the policy refuses
   */
  long address(Tensor indices, long slot, Addresses at) {
    long end = Math.min(plan.slots(), slot + Addresses.CAPACITY / pieces);
    at.count = 0;
    if (tuple == null) {
      addressOthers(indices, slot, end, at);
    } else {
      addressTuples(indices, slot, end, at);
    }
    return end;
  }

  private void addressTuples(Tensor indices, long from, long end, Addresses at) {
    long[] values = (long[]) indices.array();
    int depth = plan.depth();
    for (long slot = from; slot < end; slot++) {
      long offset = tuple.offset(values, (int) slot * depth);
      if (offset == TupleOffset.REFUSED) {
        // words the error
        Offsets.of(plan, indices, policy).resolve(slot, 1, new long[1]);
      }
      add(offset, slot, at);
    }
  }

  private void addressOthers(Tensor indices, long from, long end, Addresses at) {
    long[] offsets = new long[(int) (end - from)];
    Offsets.of(plan, indices, policy).resolve(from, offsets.length, offsets);
    for (int i = 0; i < offsets.length; i++) {
      add(offsets[i], from + i, at);
    }
  }

  private void add(long offset, long slot, Addresses at) {
    if (offset < 0) {
      return;
    }
    if (inTensor == null) {
      add((int) offset * units, (int) slot * units, at);
      return;
    }
    int first = (int) offset * pieces;
    int firstOther = (int) slot * pieces;
    for (int piece = 0; piece < pieces; piece++) {
      add(inTensor.piece(first + piece, units), inOther.piece(firstOther + piece, units), at);
    }
  }

  /** The block stays 0, as nobody else has these addresses. */
  private static void add(int position, int row, Addresses at) {
    int next = at.count;
    at.position[next] = position;
    at.row[next] = row;
    at.count = next + 1;
  }
}
