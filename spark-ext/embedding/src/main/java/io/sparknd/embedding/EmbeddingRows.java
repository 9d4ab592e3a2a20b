/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.exchange.RowNumbers;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * The rows that one mini-batch asked for, each once, and room for their gradients. Row {@code
 * slot(i)} is that of the {@code i}-th id; it begins at element {@code slot(i) * dim()} of both
 * arrays.
 */
public final class EmbeddingRows {
  private final int dim;
  private final int[] slots;
  private final long[] ids;
  private final float[] values;
  private final float[] gradients;

  private EmbeddingRows(int dim, int[] slots, long[] ids) {
    this.dim = dim;
    this.slots = slots;
    this.ids = ids;
    this.values = new float[Math.multiplyExact(ids.length, dim)];
    this.gradients = new float[values.length];
  }

  /** Room for the rows of {@code ids}: slots go to them in the order in which they come first. */
  static EmbeddingRows of(long[] ids, int dim) {
    RowNumbers numbers = new RowNumbers();
    int[] slots = new int[ids.length];
    long[] distinct = new long[ids.length];
    for (int i = 0; i < ids.length; i++) {
      slots[i] = numbers.number(ids[i]);
      distinct[slots[i]] = ids[i];
    }
    return new EmbeddingRows(dim, slots, Arrays.copyOf(distinct, numbers.count()));
  }

  /**
   * The rows of {@code ids} as a function has them: to try a {@link StepFunction} without a table.
   *
   * @param row {@code dim} elements for an id
   */
  public static EmbeddingRows of(long[] ids, int dim, LongFunction<float[]> row) {
    EmbeddingRows rows = of(ids, dim);
    for (int slot = 0; slot < rows.count(); slot++) {
      System.arraycopy(row.apply(rows.id(slot)), 0, rows.values, slot * dim, dim);
    }
    return rows;
  }

  /** Distinct rows. */
  public int count() {
    return ids.length;
  }

  /** Elements in a row. */
  public int dim() {
    return dim;
  }

  /** The row of the {@code i}-th id that was asked for, below {@link #count}. */
  public int slot(int i) {
    return slots[i];
  }

  /** The id that has row {@code slot}. */
  public long id(int slot) {
    return ids[slot];
  }

  /** The ids, by row. */
  long[] ids() {
    return ids;
  }

  /** The rows, {@code [count, dim]}, row-major; not to be written to. */
  public float[] values() {
    return values;
  }

  /** {@code [count, dim]}, row-major, zeros at first: gradients are added here. */
  public float[] gradients() {
    return gradients;
  }
}
