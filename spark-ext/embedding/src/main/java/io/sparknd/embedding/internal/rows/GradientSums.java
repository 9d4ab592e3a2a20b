/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.util.Arrays;

/** Sums the gradients of one mini-batch by row, in the order in which they arrive. */
final class GradientSums {
  private final int dim;
  private final KeyDictionary numbers = new KeyDictionary();
  private long[] addresses = new long[64];
  private float[] sums;

  GradientSums(int dim) {
    this.dim = dim;
    this.sums = new float[addresses.length * dim];
  }

  /** Adds a batch of float32 gradients. */
  void add(ShuffleBatch batch) {
    float[] gradients = (float[]) batch.payload();
    int known = numbers.count();
    int[] codes = numbers.codes(batch.locals(), batch.count());
    reserve(numbers.count());
    for (int i = 0; i < batch.count(); i++) {
      int row = batch.rows() == null ? i : batch.rows()[i];
      known = add(codes[i], known, batch.locals()[i], gradients, row * dim);
    }
  }

  /**
   * Adds a gradient. The first gradient of a row is copied: adding it to zero would lose a -0.
   *
   * @param known number of rows that have a gradient
   * @return the number of rows that have one afterwards
   */
  private int add(int number, int known, long address, float[] gradients, int from) {
    int at = number * dim;
    if (number == known) {
      addresses[number] = address;
      System.arraycopy(gradients, from, sums, at, dim);
      return known + 1;
    }
    for (int i = 0; i < dim; i++) {
      sums[at + i] += gradients[from + i];
    }
    return known;
  }

  private void reserve(int count) {
    if (count > addresses.length) {
      int most = Storage.MAX_LENGTH / dim;
      int wanted = (int) Math.min(most, 2L * addresses.length);
      addresses = Arrays.copyOf(addresses, Math.max(count, wanted));
      sums = Arrays.copyOf(sums, Math.multiplyExact(addresses.length, dim));
    }
  }

  /** Returns the number of rows that have a gradient. */
  int count() {
    return numbers.count();
  }

  long address(int number) {
    return addresses[number];
  }

  /** Returns the sums; that of row {@code number} begins at {@code number * dim}. */
  float[] sums() {
    return sums;
  }

  void clear() {
    numbers.clear();
  }
}
