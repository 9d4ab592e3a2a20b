/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.feed;

/**
 * One shard's part of a mini-batch, as arrays. Callers must not modify them. Features have the
 * order of {@link TrainingColumns}.
 *
 * <p>{@link #ids} has all ids of the part: first those of categorical features, {@code [rows,
 * categorical]}, row-major, then the lists of each multi-valued feature, one after another. A step
 * function returns it from {@code ids}; the embedding of the id at position {@code p} is then row
 * {@code rows.slot(p)}.
 */
public final class FeatureBatch {
  private final int rows;
  private final float[] labels;
  private final float[] dense;
  private final int categorical;
  private final long[] ids;
  private final int[][] offsets;

  /**
   * Creates a batch of arrays, which are not copied.
   *
   * @param labels {@code [rows]}, or empty if there is no label
   * @param dense {@code [rows, dense features]}, row-major
   * @param categorical number of categorical features
   * @param ids see {@link #ids}
   * @param offsets {@code [multi-valued features][rows + 1]}, see {@link #offsets}
   */
  public FeatureBatch(
      int rows, float[] labels, float[] dense, int categorical, long[] ids, int[][] offsets) {
    this.rows = rows;
    this.labels = labels;
    this.dense = dense;
    this.categorical = categorical;
    this.ids = ids;
    this.offsets = offsets;
  }

  /** Returns the number of rows; may be 0 in feeds of few rows. */
  public int rows() {
    return rows;
  }

  /** Returns the labels, {@code [rows]}; empty if there is no label. */
  public float[] labels() {
    return labels;
  }

  /** Returns the numeric features, {@code [rows, dense features]}, row-major. */
  public float[] dense() {
    return dense;
  }

  /** Returns the number of categorical features. */
  public int categorical() {
    return categorical;
  }

  /** Returns the ids of all features. */
  public long[] ids() {
    return ids;
  }

  /** Returns the position in {@link #ids} of a categorical feature of a row. */
  public int position(int row, int feature) {
    return row * categorical + feature;
  }

  /**
   * Returns where the lists of a multi-valued feature are in {@link #ids}, {@code [rows + 1]}: that
   * of row {@code r} has positions {@code offsets[r]} to {@code offsets[r + 1] - 1}.
   */
  public int[] offsets(int feature) {
    return offsets[feature];
  }
}
