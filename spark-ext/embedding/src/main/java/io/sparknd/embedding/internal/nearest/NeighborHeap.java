/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.nearest;

import java.util.Arrays;

/**
 * The nearest rows of one query so far: a binary heap whose root is the farthest. Of two rows with
 * the same score, the one with the smaller id is nearer, so the result does not depend on the order
 * in which rows are offered.
 */
final class NeighborHeap {
  private static final int FIRST_CAPACITY = 16;

  private final int limit;
  private long[] ids;
  private double[] scores;
  private int size;

  /**
   * @param limit maximum number of rows, at least 1
   */
  NeighborHeap(int limit) {
    this.limit = limit;
    this.ids = new long[Math.min(limit, FIRST_CAPACITY)];
    this.scores = new double[ids.length];
  }

  /** Offers a row. Larger scores are nearer. */
  void offer(long id, double score) {
    if (size < limit) {
      append(id, score);
    } else if (isFarther(ids[0], scores[0], id, score)) {
      sink(0, id, score);
    }
  }

  /** Offers the rows of a tile. */
  void offer(long[] rowIds, double[] rowScores, int count) {
    for (int i = 0; i < count; i++) {
      if (size < limit || rowScores[i] >= scores[0]) {
        offer(rowIds[i], rowScores[i]);
      }
    }
  }

  int size() {
    return size;
  }

  /** Moves all rows to arrays, nearest first, and clears the heap. */
  void drainTo(long[] toIds, double[] toScores, int at) {
    for (int i = size - 1; i >= 0; i--) {
      toIds[at + i] = ids[0];
      toScores[at + i] = scores[0];
      size--;
      sink(0, ids[size], scores[size]);
    }
  }

  private static boolean isFarther(long id, double score, long other, double otherScore) {
    return score < otherScore || (score == otherScore && id > other);
  }

  private void append(long id, double score) {
    if (size == ids.length) {
      int capacity = (int) Math.min(limit, 2L * size);
      ids = Arrays.copyOf(ids, capacity);
      scores = Arrays.copyOf(scores, capacity);
    }
    int at = size++;
    while (at > 0 && isFarther(id, score, ids[(at - 1) / 2], scores[(at - 1) / 2])) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    set(at, id, score);
  }

  /** Puts a row at {@code start} or, where a child is farther than it, below. */
  private void sink(int start, long id, double score) {
    int at = start;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      int other = child + 1;
      if (other < size && isFarther(ids[other], scores[other], ids[child], scores[child])) {
        child = other;
      }
      if (!isFarther(ids[child], scores[child], id, score)) {
        break;
      }
      move(child, at);
      at = child;
    }
    set(at, id, score);
  }

  private void move(int from, int to) {
    set(to, ids[from], scores[from]);
  }

  private void set(int at, long id, double score) {
    ids[at] = id;
    scores[at] = score;
  }
}
