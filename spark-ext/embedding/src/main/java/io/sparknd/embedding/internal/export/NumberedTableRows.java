/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.cluster.internal.files.TensorSink;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.embedding.internal.rows.RowTile;
import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;
import java.io.IOException;
import java.util.stream.LongStream;

/**
 * The rows of a table with numbered rows, including those that were never written.
 *
 * @param weights {@code [rows, dim]}
 */
public record NumberedTableRows(TensorBlocks weights) implements OrderedRows {
  @Override
  public long count() {
    return weights.shape().dim(0);
  }

  @Override
  public int dim() {
    return Math.toIntExact(weights.shape().dim(1));
  }

  @Override
  public boolean isKeyed() {
    return false;
  }

  @Override
  public void forEach(Consumer consumer) throws IOException {
    long[] next = new long[1];
    TensorSink.forEachBlock(
        weights,
        block -> {
          float[] rows = floats(block);
          int count = rows.length / dim();
          long[] ids = LongStream.range(next[0], next[0] + count).toArray();
          next[0] += count;
          consumer.accept(new RowTile(count, ids, rows));
        });
  }

  private float[] floats(Object block) {
    if (weights.dtype() == DType.FLOAT32) {
      return (float[]) block;
    }
    short[] halves = (short[]) block;
    float[] wide = new float[halves.length];
    HalfRows.widen(weights.dtype(), halves, 0, wide, 0, halves.length);
    return wide;
  }
}
