/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the slots of an indices tensor to offsets of slices. All index policies on whole tensors
 * are applied here.
 */
public final class SliceOffsets {
  /** The offset of a slot whose tuple is dropped. */
  public static final long DROPPED = -1;

  /** Index values read at a time, few enough to stay in the L1 cache. */
  private static final int WINDOW = 1024;

  private final IndexPlan plan;
  private final Tensor indices;

  /** All index values; null if they are widened one window at a time. */
  private final long @Nullable [] values;

  private final TupleOffset tuple;

  private SliceOffsets(IndexPlan plan, Tensor indices, IndexPolicy policy) {
    this.plan = plan;
    this.indices = indices;
    boolean windows = plan.isPlain() && indices.dtype() != DType.INT64;
    this.values = windows ? null : IndexValues.toLongs(indices);
    this.tuple = new TupleOffset(plan, policy);
  }

  /**
   * Prepares the offsets that {@code indices} name under {@code plan}.
   *
   * @throws SparkNdException if the indices are not integers
   */
  public static SliceOffsets of(IndexPlan plan, Tensor indices, IndexPolicy policy) {
    if (!indices.dtype().isInteger()) {
      throw OperatorErrors.indicesNotIntegers(indices.dtype());
    }
    return new SliceOffsets(plan, indices, policy);
  }

  /**
   * Writes the offsets of slots {@code [slot, slot + count)} to {@code out}, with {@link #DROPPED}
   * for tuples that the policy drops.
   *
   * @throws SparkNdException if the policy rejects a tuple; the message names the first
   */
  public void resolve(long slot, int count, long[] out) {
    if (plan.isPlain()) {
      resolvePlain(slot, count, out);
      return;
    }
    long[] all = Objects.requireNonNull(values);
    for (int i = 0; i < count; i++) {
      int at = (int) plan.valueIndex(slot + i);
      long offset = tuple.offset(all, at);
      out[i] = accepted(slot + i, offset, plan.base(slot + i));
    }
  }

  private void resolvePlain(long slot, int count, long[] out) {
    int depth = plan.depth();
    int step = Math.max(1, WINDOW / Math.max(1, depth));
    long[] window = values == null ? new long[Math.min(step, count) * depth] : values;
    for (int done = 0; done < count; done += step) {
      int slots = Math.min(step, count - done);
      int at = (int) (slot + done) * depth;
      if (values == null) {
        IndexValues.read(indices, at, slots * depth, window);
        at = 0;
      }
      if (!tuple.offsets(window, at, slots, out, done)) {
        resolveOneByOne(slot + done, slots, window, at, out, done);
      }
    }
  }

  /** Resolves a window with a bad tuple; each bad tuple is repaired, dropped or rejected. */
  private void resolveOneByOne(long slot, int count, long[] window, int at, long[] out, int first) {
    for (int i = 0; i < count; i++) {
      out[first + i] = accepted(slot + i, tuple.offset(window, at + i * plan.depth()), 0);
    }
  }

  /**
   * Returns all offsets.
   *
   * @throws SparkNdException if the policy rejects a tuple, or if there are more than {@link
   *     Storage#MAX_LENGTH} slots
   */
  public long[] resolveAll() {
    if (plan.slots() > Storage.MAX_LENGTH) {
      throw OperatorErrors.tooManySlots(plan.indices(), plan.slots());
    }
    long[] all = new long[(int) plan.slots()];
    resolve(0, all.length, all);
    return all;
  }

  /** Checks all slots, see {@link #check(long, long)}. */
  public void check() {
    check(0, plan.slots());
  }

  /**
   * Checks that the policy accepts slots {@code [from, to)}; the offsets are discarded.
   *
   * @throws SparkNdException if the policy rejects a tuple; the message names the first
   */
  public void check(long from, long to) {
    if (plan.depth() == 0) {
      // without index values nothing can be rejected, and the slot count may be huge
      return;
    }
    long[] chunk = new long[(int) Math.min(4096, to - from)];
    for (long slot = from; slot < to; slot += chunk.length) {
      resolve(slot, (int) Math.min(chunk.length, to - slot), chunk);
    }
  }

  private long accepted(long slot, long offset, long base) {
    if (offset == TupleOffset.INVALID) {
      throw errorAt(slot);
    }
    return offset == DROPPED ? DROPPED : base + offset;
  }

  private SparkNdException errorAt(long slot) {
    int at = (int) plan.valueIndex(slot);
    Object[] shown = new Object[plan.depth()];
    boolean negative = false;
    for (int d = 0; d < shown.length; d++) {
      shown[d] = indices.element(at + d);
      negative |= shown[d] instanceof Long value && value < 0;
    }
    String tupleShown = Arrays.toString(shown);
    return negative && tuple.rejectsNegative()
        ? OperatorErrors.negativeIndex(
            plan.position(slot), tupleShown, plan.target(), tuple.badIndices())
        : OperatorErrors.badIndex(plan.position(slot), tupleShown, plan.target());
  }

  /**
   * Fails if two of {@code offsets}, the offsets of slots 0, 1, ..., are equal.
   *
   * @throws SparkNdException that names the first repeating slot and the slot that it repeats
   */
  public void rejectDuplicates(long[] offsets) {
    long[] sorted = offsets.clone();
    Arrays.parallelSort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1] && sorted[i] != DROPPED) {
        throw firstDuplicate(offsets);
      }
    }
  }

  private SparkNdException firstDuplicate(long[] offsets) {
    Map<Long, Integer> seen = new HashMap<>();
    int slot = 0;
    Integer first = null;
    while (first == null) {
      first = offsets[slot] == DROPPED ? null : seen.putIfAbsent(offsets[slot], slot);
      slot++;
    }
    return OperatorErrors.duplicateIndex(plan.position(slot - 1), plan.position(first));
  }
}
