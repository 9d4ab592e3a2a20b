/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import java.io.Serializable;

/**
 * Some thousand rows of a shard, in primitive arrays. Spark persists chunks one by one, in memory
 * or on disk. A class and not a record, since Kryo cannot read records.
 */
public final class FeatureChunk implements Serializable {
  private static final long serialVersionUID = 1;

  private final int rows;
  private final long checksum;
  final float[] labels;
  final float[] dense;
  final PackedIds categorical;
  final PackedIds[] lists;
  final int[][] offsets;

  /**
   * Creates a chunk.
   *
   * @param checksum checksum of all values in their order
   * @param labels {@code [rows]}, or empty
   * @param dense {@code [rows, dense features]}, row-major
   * @param categorical {@code [rows, categorical features]}, row-major
   * @param lists ids of each multi-valued feature
   * @param offsets {@code [multi-valued features][rows + 1]}
   */
  FeatureChunk(
      int rows,
      long checksum,
      float[] labels,
      float[] dense,
      PackedIds categorical,
      PackedIds[] lists,
      int[][] offsets) {
    this.rows = rows;
    this.checksum = checksum;
    this.labels = labels;
    this.dense = dense;
    this.categorical = categorical;
    this.lists = lists;
    this.offsets = offsets;
  }

  /** Returns the number of rows; may be 0. */
  public int rows() {
    return rows;
  }

  public long checksum() {
    return checksum;
  }
}
