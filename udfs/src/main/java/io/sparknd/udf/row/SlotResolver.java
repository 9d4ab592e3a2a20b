/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.SliceOffsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;

/**
 * Resolves the slots of an index tensor to positions in a tensor stored as one array. Immutable.
 */
final class SlotResolver {
  /** One instance per thread, because it is larger than most tensors of a row. */
  private static final ThreadLocal<SliceAddresses> ADDRESSES =
      ThreadLocal.withInitial(SliceAddresses::new);

  private final IndexPlan plan;
  private final IndexPolicy policy;

  /** Null if slots are not plain tuples. */
  private final TupleOffset tuple;

  /** Contiguous segments per slice; 1 if the slice is contiguous on both sides. */
  private final int segments;

  private final int units;

  /** Null if slices are stored one directly after the other. */
  private final ElementRuns inTensor;

  private final ElementRuns inOther;

  SlotResolver(IndexPlan plan, Indexing where, IndexPolicy policy, DType dtype) {
    this.plan = plan;
    this.policy = policy;
    this.tuple = tuple(plan, where, policy);
    this.segments = 1;
    this.units = plan.tensor().elements() == 0 ? 0 : (int) plan.slice().elements() * dtype.units();
    this.inTensor = null;
    this.inOther = null;
  }

  /** Creates the slots for non-empty tensor and updates in runs of the same unit. */
  SlotResolver(
      IndexPlan plan,
      Indexing where,
      IndexPolicy policy,
      ElementRuns inTensor,
      ElementRuns inOther) {
    this.plan = plan;
    this.policy = policy;
    this.tuple = tuple(plan, where, policy);
    int slice = (int) plan.slice().elements() * inTensor.element();
    // a segment is a whole slice or one run of it, whichever is shorter
    this.units = Math.min(slice, inTensor.length());
    this.segments = slice / units;
    this.inTensor = inTensor;
    this.inOther = inOther;
  }

  private static TupleOffset tuple(IndexPlan plan, Indexing where, IndexPolicy policy) {
    return where.equals(Indexing.tuples()) ? new TupleOffset(plan, policy) : null;
  }

  /** Returns this thread's addresses, valid until the next call. */
  static SliceAddresses addresses() {
    return ADDRESSES.get();
  }

  long count() {
    return plan.slots();
  }

  /** Returns the length of a segment, at most a slice; 0 if there is nothing to move. */
  int units() {
    return units;
  }

  /**
   * Writes to {@code at} the addresses of the slots from {@code slot} on, as many as fit, without
   * dropped slots.
   *
   * @return the first slot that was not processed
   * @throws io.sparknd.tensor.SparkNdException for the lowest slot that the policy rejects
   */
  long address(Tensor indices, long slot, SliceAddresses at) {
    long end = Math.min(plan.slots(), slot + SliceAddresses.CAPACITY / segments);
    if (tuple == null) {
      addressOthers(indices, slot, end, at);
    } else {
      addressTuples(indices, slot, end, at);
    }
    return end;
  }

  /**
   * Copies the segments of {@code updates} to their positions in {@code target}, for plain tuples.
   * One loop is faster than writing addresses for a kernel.
   *
   * @throws io.sparknd.tensor.SparkNdException for the lowest slot that the policy rejects
   */
  void move(Tensor indices, RunTensor updates, RunTensor target) {
    long[] values = (long[]) indices.array();
    int depth = plan.depth();
    int slots = (int) plan.slots();
    for (int slot = 0; slot < slots; slot++) {
      int offset = (int) offset(indices, values, slot, depth);
      if (offset >= 0 && segments == 1) {
        copySegment(updates, slot, target, offset);
      } else if (offset >= 0) {
        copySegments(updates, slot * segments, target, offset * segments);
      }
    }
  }

  private void copySegments(RunTensor updates, int from, RunTensor target, int to) {
    for (int segment = 0; segment < segments; segment++) {
      copySegment(updates, from + segment, target, to + segment);
    }
  }

  private void copySegment(RunTensor updates, int segment, RunTensor target, int toSegment) {
    int first = inOther.segmentStart(segment, units) + updates.first();
    int place = inTensor.segmentStart(toSegment, units) + target.first();
    if (updates.array() instanceof byte[] from && target.array() instanceof byte[] to) {
      // the statically known array type halves the time of the copy
      System.arraycopy(from, first, to, place, units);
    } else {
      System.arraycopy(updates.array(), first, target.array(), place, units);
    }
  }

  /** Returns the offset of a slot; negative if the slot is dropped. */
  private long offset(Tensor indices, long[] values, int slot, int depth) {
    long offset = tuple.offset(values, slot * depth);
    if (offset == TupleOffset.INVALID) {
      // throws the error with its position
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

  /** Appends a slot's segments after {@code count} others and returns the new count. */
  private int add(int offset, int slot, SliceAddresses at, int count) {
    if (inTensor == null) {
      put(offset * units, slot * units, at, count);
      return count + 1;
    }
    for (int segment = 0; segment < segments; segment++) {
      int place = inTensor.segmentStart(offset * segments + segment, units);
      put(place, inOther.segmentStart(slot * segments + segment, units), at, count + segment);
    }
    return count + segments;
  }

  /** Leaves the block at 0, because no other class uses these addresses. */
  private static void put(int position, int row, SliceAddresses at, int place) {
    at.position[place] = position;
    at.row[place] = row;
  }
}
