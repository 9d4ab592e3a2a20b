/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Resolves one index tuple to the offset of its slice, for callers whose tuples come row by row.
 * {@link SliceOffsets} resolves whole index tensors.
 */
public final class TupleOffset implements Serializable {
  private static final long serialVersionUID = 1;

  /** The result for a tuple that the policy rejects. */
  public static final long INVALID = -2;

  private final IndexPlan plan;
  private final int depth;
  private final long[] dims;
  private final long[] strides;
  private final NegativeIndices negative;
  private final BadIndices badIndices;
  private final boolean clips;
  private final long whenBad;

  public TupleOffset(IndexPlan plan, IndexPolicy policy) {
    this.plan = plan;
    this.depth = plan.depth();
    this.dims = new long[depth];
    this.strides = new long[depth];
    for (int d = 0; d < depth; d++) {
      dims[d] = plan.dim(d);
      strides[d] = plan.stride(d);
    }
    this.negative = policy.negative();
    this.badIndices = policy.bad();
    this.clips = policy.bad() instanceof BadIndices.Clip;
    this.whenBad = policy.bad() instanceof BadIndices.Error ? INVALID : SliceOffsets.DROPPED;
  }

  /**
   * Resolves the tuple {@code values[at .. at + depth)}.
   *
   * @return the offset, {@link SliceOffsets#DROPPED} or {@link #INVALID}
   */
  public long offset(long[] values, int at) {
    return depth == 1 ? single(values, at) : several(values, at);
  }

  /** Depth 1, without a loop: its set-up costs more than one iteration. */
  private long single(long[] values, int at) {
    long value = values[at];
    return Long.compareUnsigned(value, dims[0]) < 0 ? value * strides[0] : repaired(values, at);
  }

  private long several(long[] values, int at) {
    long offset = 0;
    for (int d = 0; d < depth; d++) {
      long value = values[at + d];
      // one comparison for both bounds: a negative value is a large unsigned one
      if (Long.compareUnsigned(value, dims[d]) >= 0) {
        return repaired(values, at);
      }
      offset += value * strides[d];
    }
    return offset;
  }

  /**
   * Writes the offsets of {@code count} consecutive tuples from {@code values[at]} on, if all are
   * in bounds. Avoids a branch per value, which costs more than the arithmetic.
   *
   * @param out receives the offsets from {@code first} on; undefined there if a tuple is out of
   *     bounds
   * @return whether all tuples are in bounds
   */
  public boolean offsets(long[] values, int at, int count, long[] out, int first) {
    if (depth == 1) {
      return placeSingles(values, at, count, out, first) >= 0;
    }
    Arrays.fill(out, first, first + count, 0);
    long bad = 0;
    for (int d = 0; d < depth; d++) {
      bad |= addDimension(d, values, at + d, count, out, first);
    }
    return bad >= 0;
  }

  /**
   * Adds dimension {@code d} to the offsets. Returns a negative value if any index is below 0 or
   * above the last one.
   */
  private long addDimension(int d, long[] values, int at, int count, long[] out, int first) {
    long last = dims[d] - 1;
    long stride = strides[d];
    long bad = 0;
    for (int i = 0; i < count; i++) {
      long value = values[at + i * depth];
      bad |= value | (last - value);
      out[first + i] += value * stride;
    }
    return bad;
  }

  /** {@link #addDimension} for consecutive tuples of one index; overwrites {@code out}. */
  private long placeSingles(long[] values, int at, int count, long[] out, int first) {
    long last = dims[0] - 1;
    long stride = strides[0];
    long bad = 0;
    for (int i = 0; i < count; i++) {
      long value = values[at + i];
      bad |= value | (last - value);
      out[first + i] = value * stride;
    }
    return bad;
  }

  BadIndices badIndices() {
    return badIndices;
  }

  boolean rejectsNegative() {
    return negative == NegativeIndices.ERROR;
  }

  /**
   * Returns the error for a tuple that {@link #offset} rejected.
   *
   * @param position the tuple's position, for the message
   */
  public SparkNdException error(String position, long[] tuple) {
    boolean negative = LongStream.of(tuple).anyMatch(value -> value < 0);
    String shown = Arrays.toString(tuple);
    return negative && rejectsNegative()
        ? OperatorErrors.negativeIndex(position, shown, plan.target(), badIndices)
        : OperatorErrors.badIndex(position, shown, plan.target());
  }

  private long repaired(long[] values, int at) {
    long offset = 0;
    boolean bad = false;
    for (int d = 0; d < depth; d++) {
      long value = values[at + d];
      if (value < 0 && negative == NegativeIndices.ERROR) {
        return INVALID;
      }
      if (value < 0 && negative == NegativeIndices.WRAP) {
        value += dims[d];
      }
      if (clips && dims[d] > 0) {
        value = Math.max(0, Math.min(value, dims[d] - 1));
      }
      bad |= value < 0 || value >= dims[d];
      offset += value * strides[d];
    }
    if (bad) {
      return clips ? INVALID : whenBad;
    }
    return offset;
  }
}
