/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.kernel.SliceAddresses;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.SliceOffsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;

/** Where the slots of an index tensor lead in a tensor that is one array. Immutable. */
final class RowSlots {
  /** Made once a thread: they are larger than most tensors of a row. */
  private static final ThreadLocal<SliceAddresses> ADDRESSES =
      ThreadLocal.withInitial(SliceAddresses::new);

  private final IndexPlan plan;
  private final IndexPolicy policy;

  /** Null where slots are not plain tuples. */
  private final TupleOffset tuple;

  /** Pieces of a slice; 1 where both sides have it in one. */
  private final int pieces;

  private final int units;

  /** Null where slices lie one behind the other. */
  private final SlotRuns inTensor;

  private final SlotRuns inOther;

  RowSlots(IndexPlan plan, Indexing where, IndexPolicy policy, DType dtype) {
    this.plan = plan;
    this.policy = policy;
    this.tuple = tuple(plan, where, policy);
    this.pieces = 1;
    this.units = plan.tensor().elements() == 0 ? 0 : (int) plan.slice().elements() * dtype.units();
    this.inTensor = null;
    this.inOther = null;
  }

  /** Of a tensor and updates that have elements, in units of one kind. */
  RowSlots(
      IndexPlan plan, Indexing where, IndexPolicy policy, SlotRuns inTensor, SlotRuns inOther) {
    this.plan = plan;
    this.policy = policy;
    this.tuple = tuple(plan, where, policy);
    int slice = (int) plan.slice().elements() * inTensor.element();
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
  static SliceAddresses addresses() {
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
  long address(Tensor indices, long slot, SliceAddresses at) {
    long end = Math.min(plan.slots(), slot + SliceAddresses.CAPACITY / pieces);
    if (tuple == null) {
      addressOthers(indices, slot, end, at);
    } else {
      addressTuples(indices, slot, end, at);
    }
    return end;
  }

  /**
   * Copies the pieces of {@code updates} to their places, of plain tuples. In one loop, as it takes
   * less time than to write addresses down for a kernel.
   *
   * @throws io.sparknd.tensor.SparkNdException for the lowest slot that the policy refuses
   */
  void move(Tensor indices, RunTensor updates, RunTensor target) {
    long[] values = (long[]) indices.array();
    int depth = plan.depth();
    int slots = (int) plan.slots();
    for (int slot = 0; slot < slots; slot++) {
      int offset = (int) offset(indices, values, slot, depth);
      if (offset >= 0 && pieces == 1) {
        movePiece(updates, slot, target, offset);
      } else if (offset >= 0) {
        movePieces(updates, slot * pieces, target, offset * pieces);
      }
    }
  }

  private void movePieces(RunTensor updates, int from, RunTensor target, int to) {
    for (int piece = 0; piece < pieces; piece++) {
      movePiece(updates, from + piece, target, to + piece);
    }
  }

  private void movePiece(RunTensor updates, int piece, RunTensor target, int toPiece) {
    int first = inOther.piece(piece, units) + updates.first();
    int place = inTensor.piece(toPiece, units) + target.first();
    if (updates.array() instanceof byte[] from && target.array() instanceof byte[] to) {
      // of a class that compilers know, which takes half the time
      System.arraycopy(from, first, to, place, units);
    } else {
      System.arraycopy(updates.array(), first, target.array(), place, units);
    }
  }

  /** Negative if the slot is dropped. */
  private long offset(Tensor indices, long[] values, int slot, int depth) {
    long offset = tuple.offset(values, slot * depth);
    if (offset == TupleOffset.REFUSED) {
      // words the error
      SliceOffsets.of(plan, indices, policy).resolve(slot, 1, new long[1]);
    }
    return offset;
  }

  private void addressTuples(Tensor indices, long from, long end, SliceAddresses at) {
    long[] values = (long[]) indices.array();
    int depth = plan.depth();
    int count = 0;
    for (int slot = (int) from; slot < end; slot++) {
      long offset = offset(indices, values, slot, depth);
      count = offset < 0 ? count : add((int) offset, slot, at, count);
    }
    at.count = count;
  }

  private void addressOthers(Tensor indices, long from, long end, SliceAddresses at) {
    long[] offsets = new long[(int) (end - from)];
    SliceOffsets.of(plan, indices, policy).resolve(from, offsets.length, offsets);
    int count = 0;
    for (int i = 0; i < offsets.length; i++) {
      count = offsets[i] < 0 ? count : add((int) offsets[i], (int) from + i, at, count);
    }
    at.count = count;
  }

  /** Adds a slot's pieces behind {@code count} others, and returns how many there are then. */
  private int add(int offset, int slot, SliceAddresses at, int count) {
    if (inTensor == null) {
      put(offset * units, slot * units, at, count);
      return count + 1;
    }
    for (int piece = 0; piece < pieces; piece++) {
      int place = inTensor.piece(offset * pieces + piece, units);
      put(place, inOther.piece(slot * pieces + piece, units), at, count + piece);
    }
    return count + pieces;
  }

  /** The block stays 0, as nobody else has these addresses. */
  private static void put(int position, int row, SliceAddresses at, int place) {
    at.position[place] = position;
    at.row[place] = row;
  }
}
