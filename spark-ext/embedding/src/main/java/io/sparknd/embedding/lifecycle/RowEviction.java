/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lifecycle;

import io.sparknd.embedding.internal.EmbeddingErrors;

/**
 * A rule that says which rows of an embedding table are evicted. Only rows that were updated are
 * counted and evicted. The choice depends on the rows alone, not on their partitions.
 */
public sealed interface RowEviction {

  /**
   * Evicts rows that none of the table's last {@code steps} steps updated, and forgets the counts
   * of keys without a row that did not occur in these steps. Needs {@link RowUsage#UPDATES}.
   *
   * <p>A counting filter ({@link RowAdmission#filtered}) forgets later: the first such eviction
   * more than {@code steps} steps after a bucket's first count or its last forgetting sets those
   * counters of the bucket to 0 in which no key was counted since.
   *
   * @param steps at least 1
   */
  static RowEviction idle(long steps) {
    return new Idle(steps);
  }

  /**
   * Evicts rows that fewer than {@code updates} steps updated since they were added. Needs {@link
   * RowUsage#UPDATES}.
   *
   * @param updates at least 1
   */
  static RowEviction rare(long updates) {
    return new Rare(updates);
  }

  /**
   * Evicts rows whose weights have an L2 norm below {@code norm}. The norm is computed in float64,
   * from the first weight to the last.
   *
   * @param norm above 0
   */
  static RowEviction small(double norm) {
    return new Small(norm);
  }

  /**
   * Evicts rows until at most {@code rows} are left.
   *
   * @param rows at least 0
   */
  static RowEviction toRows(long rows, EvictionOrder order) {
    return new RowBound(rows, order);
  }

  /**
   * Evicts rows until those left have at most {@code bytes} bytes: 8 for the id, 16 for the usage
   * if the table keeps it, and those of weights and optimizer state. Indexes, and the unused rest
   * of blocks, are not counted.
   *
   * @param bytes at least 0
   */
  static RowEviction toBytes(long bytes, EvictionOrder order) {
    return new ByteBound(bytes, order);
  }

  /** See {@link RowEviction#idle}. */
  record Idle(long steps) implements RowEviction {
    public Idle {
      atLeast("steps of RowEviction.idle", steps, 1);
    }
  }

  /** See {@link RowEviction#rare}. */
  record Rare(long updates) implements RowEviction {
    public Rare {
      atLeast("updates of RowEviction.rare", updates, 1);
    }
  }

  /** See {@link RowEviction#small}. */
  record Small(double norm) implements RowEviction {
    public Small {
      if (!(norm > 0)) {
        throw EmbeddingErrors.badEviction("norm of RowEviction.small", norm, "above 0");
      }
    }
  }

  /** See {@link RowEviction#toRows}. */
  record RowBound(long rows, EvictionOrder order) implements RowEviction {
    public RowBound {
      atLeast("rows of RowEviction.toRows", rows, 0);
    }
  }

  /** See {@link RowEviction#toBytes}. */
  record ByteBound(long bytes, EvictionOrder order) implements RowEviction {
    public ByteBound {
      atLeast("bytes of RowEviction.toBytes", bytes, 0);
    }
  }

  private static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw EmbeddingErrors.badEviction(name, value, "at least " + least);
    }
  }
}
