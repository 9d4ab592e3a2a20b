/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import java.util.Arrays;

/**
 * The distinct rows of a table in one mini-batch, and their gradients. The arrays are not copied,
 * and may be longer than the rows.
 *
 * @param slots the row of each requested id
 * @param ids the distinct ids by row
 * @param values elements of the rows, {@code [count, dim]}
 * @param gradients as long as {@code values}, and zeros at first
 */
public record MiniBatchRows(int dim, int[] slots, long[] ids, float[] values, float[] gradients) {
  /**
   * Allocates the rows of {@code ids}; rows are numbered in the order in which ids first occur.
   *
   * @param spare rows after these, which are NaN
   */
  public static MiniBatchRows of(long[] ids, int dim, int spare) {
    KeyDictionary numbers = new KeyDictionary();
    int[] slots = numbers.codes(ids, ids.length);
    long[] distinct = new long[numbers.count()];
    for (int i = 0; i < ids.length; i++) {
      distinct[slots[i]] = ids[i];
    }
    int elements = Math.multiplyExact(distinct.length, dim);
    float[] values = new float[Math.addExact(elements, spare * dim)];
    Arrays.fill(values, elements, values.length, Float.NaN);
    return new MiniBatchRows(dim, slots, distinct, values, new float[values.length]);
  }

  /** Returns the number of distinct rows. */
  public int count() {
    return ids.length;
  }
}
