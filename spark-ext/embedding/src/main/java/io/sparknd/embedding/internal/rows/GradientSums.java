/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
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
    for (int i = 0; i < batch.count(); i++) {
      int row = batch.rows() == null ? i : batch.rows()[i];
      add(batch.locals()[i], gradients, row * dim);
    }
  }

  /** Adds a gradient. The first gradient of a row is copied: adding it to zero would lose a -0. */
  private void add(long address, float[] gradients, int from) {
    int count = numbers.count();
    int number = numbers.code(address);
    int at = number * dim;
    if (number == count) {
      reserve(number);
      addresses[number] = address;
      System.arraycopy(gradients, from, sums, at, dim);
      return;
    }
    for (int i = 0; i < dim; i++) {
      sums[at + i] += gradients[from + i];
    }
  }

  private void reserve(int number) {
    if (number == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * number);
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
