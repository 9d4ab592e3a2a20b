/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import java.util.Arrays;
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

  /**
   * Makes rows of their slots, their distinct ids, their values and an array of zeros for their
   * gradients, which are not copied.
   */
  EmbeddingRows(int dim, int[] slots, long[] ids, float[] values, float[] gradients) {
    this.dim = dim;
    this.slots = slots;
    this.ids = ids;
    this.values = values;
    this.gradients = gradients;
  }

  /** Allocates the rows of {@code ids}. */
  static EmbeddingRows of(long[] ids, int dim) {
    return of(ids, dim, 0);
  }

  /**
   * Allocates the rows of {@code ids}; slots are numbered in the order in which ids first occur.
   *
   * @param spare rows after these, which are NaN
   */
  private static EmbeddingRows of(long[] ids, int dim, int spare) {
    KeyDictionary numbers = new KeyDictionary();
    int[] slots = numbers.codes(ids, ids.length);
    long[] distinct = new long[numbers.count()];
    for (int i = 0; i < ids.length; i++) {
      distinct[slots[i]] = ids[i];
    }
    int elements = Math.multiplyExact(distinct.length, dim);
    float[] values = new float[Math.addExact(elements, spare * dim)];
    Arrays.fill(values, elements, values.length, Float.NaN);
    return new EmbeddingRows(dim, slots, distinct, values, new float[values.length]);
  }

  /**
   * Returns the rows of {@code ids} as computed by a function, to test a {@link StepFunction}
   * without a table. As in a training, the arrays may be longer than the rows.
   *
   * @param row returns the {@code dim} elements of an id
   */
  public static EmbeddingRows of(long[] ids, int dim, LongFunction<float[]> row) {
    return of(ids, dim, 1).filled(row);
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

  /** Returns the distinct ids in row order. */
  long[] ids() {
    return ids;
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
