/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.internal.FeedErrors;
import io.sparknd.tensor.Storage;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Copies the rows of a batch from chunks. */
final class BatchAssembly {
  private final EpochOrder.Picks picks;
  private final FeatureChunk[] chunks;
  private final int rows;
  private int end;

  private BatchAssembly(EpochOrder.Picks picks, FeatureChunk[] chunks) {
    this.picks = picks;
    this.chunks = chunks;
    this.rows = picks.rows().length;
  }

  /**
   * Returns the batch of {@code picks}.
   *
   * @param read reads a chunk; called once for each that the batch needs
   */
  static FeatureBatch batch(
      FeatureShape shape, EpochOrder.Picks picks, IntFunction<FeatureChunk> read) {
    int last = IntStream.of(picks.chunks()).max().orElse(-1);
    FeatureChunk[] chunks = new FeatureChunk[last + 1];
    IntStream.of(picks.chunks()).distinct().forEach(i -> chunks[i] = read.apply(i));
    return new BatchAssembly(picks, chunks).batch(shape);
  }

  private FeatureBatch batch(FeatureShape shape) {
    float[] labels = new float[shape.labels() * rows];
    float[] dense = new float[length((long) shape.dense() * rows)];
    for (int i = 0; i < rows; i++) {
      FeatureChunk chunk = chunks[picks.chunks()[i]];
      int row = picks.rows()[i];
      if (shape.labels() == 1) {
        labels[i] = chunk.labels[row];
      }
      System.arraycopy(chunk.dense, row * shape.dense(), dense, i * shape.dense(), shape.dense());
    }
    int[][] offsets = offsets(shape);
    return new FeatureBatch(rows, labels, dense, shape.categorical(), ids(shape, offsets), offsets);
  }

  /** Returns the length of an array of {@code values}. */
  private int length(long values) {
    if (values > Storage.MAX_LENGTH) {
      throw FeedErrors.largeBatch(rows, values, Storage.MAX_LENGTH);
    }
    return (int) values;
  }

  /** Lays out the ids: categorical features first, then each multi-valued feature. */
  private int[][] offsets(FeatureShape shape) {
    int[][] offsets = new int[shape.multiValued()][rows + 1];
    end = length((long) shape.categorical() * rows);
    for (int feature = 0; feature < offsets.length; feature++) {
      offsets[feature][0] = end;
      for (int i = 0; i < rows; i++) {
        int[] from = chunks[picks.chunks()[i]].offsets[feature];
        int row = picks.rows()[i];
        end = length((long) end + from[row + 1] - from[row]);
        offsets[feature][i + 1] = end;
      }
    }
    return offsets;
  }

  private long[] ids(FeatureShape shape, int[][] offsets) {
    long[] ids = new long[end];
    for (int i = 0; i < rows; i++) {
      FeatureChunk chunk = chunks[picks.chunks()[i]];
      int row = picks.rows()[i];
      int count = shape.categorical();
      chunk.categorical.copy(row * count, count, ids, i * count);
      for (int feature = 0; feature < offsets.length; feature++) {
        int to = offsets[feature][i];
        int length = offsets[feature][i + 1] - to;
        chunk.lists[feature].copy(chunk.offsets[feature][row], length, ids, to);
      }
    }
    return ids;
  }
}
