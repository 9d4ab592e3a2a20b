/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.step.MiniBatchRows;
import java.util.function.LongFunction;

/**
 * The distinct rows that one mini-batch requested, and their gradients. The {@code i}-th id has row
 * {@code slot(i)}, which begins at element {@code slot(i) * dim()} of both arrays.
 */
public final class EmbeddingRows {
  private final int dim;
  private final int[] slots;
  private final long[] ids;
  private final float[] values;
  private final float[] gradients;

  EmbeddingRows(MiniBatchRows rows) {
    this.dim = rows.dim();
    this.slots = rows.slots();
    this.ids = rows.ids();
    this.values = rows.values();
    this.gradients = rows.gradients();
  }

  /**
   * Returns the rows of {@code ids} as computed by a function, to test a {@link StepFunction}
   * without a table. As in a training, the arrays may be longer than the rows.
   *
   * @param row returns the {@code dim} elements of an id
   */
  public static EmbeddingRows of(long[] ids, int dim, LongFunction<float[]> row) {
    return new EmbeddingRows(MiniBatchRows.of(ids, dim, 1)).filled(row);
  }

  /** Returns these rows with the elements that a function computes. */
  EmbeddingRows filled(LongFunction<float[]> row) {
    for (int slot = 0; slot < count(); slot++) {
      System.arraycopy(row.apply(id(slot)), 0, values, slot * dim, dim);
    }
    return this;
  }

  /** Returns the number of distinct rows. */
  public int count() {
    return ids.length;
  }

  /** Returns the number of requested ids, with duplicates. */
  public int requested() {
    return slots.length;
  }

  /** Returns the number of elements in a row. */
  public int dim() {
    return dim;
  }

  /** Returns the row of the {@code i}-th requested id; it is less than {@link #count}. */
  public int slot(int i) {
    return slots[i];
  }

  /** Returns the id of row {@code slot}. */
  public long id(int slot) {
    return ids[slot];
  }

  /**
   * Returns the rows, {@code [count, dim]}, row-major. Callers must not modify them. The array may
   * be longer: its first {@code count() * dim()} elements are the rows, the others are NaN. It is
   * reused for other rows after the step.
   */
  public float[] values() {
    return values;
  }

  /**
   * Returns the gradients, {@code [count, dim]}, row-major, initially zeros. A {@link StepFunction}
   * adds its gradients here. The array is as long as {@link #values}; what is written after the
   * rows is no gradient. It is reused after the step.
   */
  public float[] gradients() {
    return gradients;
  }
}
