/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests how much memory the map side of a shuffle holds. */
class UpdateBinnerTest {
  private static final int WIDTH = 64;
  private static final int ROW_BYTES = Long.BYTES + WIDTH * Float.BYTES;
  private static final int PARTITIONS = 1000;
  private static final int SLICES = 1_000_000;

  /** Generates chunks of updates for random slices and counts them. */
  private static final class Source implements Iterator<NumberedRows> {
    private static final int CHUNK = 4096;

    private final SplittableRandom random = new SplittableRandom(5);
    private final float[] rows = new float[CHUNK * WIDTH];
    private int chunks;
    private long given;

    Source(int chunks) {
      this.chunks = chunks;
    }

    @Override
    public boolean hasNext() {
      return chunks > 0;
    }

    @Override
    public NumberedRows next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      chunks--;
      given += CHUNK;
      return new NumberedRows(random.longs(CHUNK, 0, SLICES).toArray(), CHUNK, rows);
    }
  }

  private static BlockLayout.Pieces pieces() {
    Shape shape = Shape.of(SLICES, WIDTH);
    return BlockLayout.of(DType.FLOAT32, shape, Partitioning.of(PARTITIONS), 1).pieces(WIDTH);
  }

  /** Returns the most bytes of updates that a binner held at a time. */
  private static long mostHeld(Source source, RowBinner binner) {
    long most = 0;
    long left = 0;
    while (binner.hasNext()) {
      most = Math.max(most, (source.given - left) * ROW_BYTES);
      ShuffleBatch batch = binner.next()._2();
      left += batch.count();
      batch.markWritten();
    }
    assertThat(left).isEqualTo(source.given);
    return most;
  }

  @Test
  void aThousandPartitionsHoldEightMegabytes() {
    Source source = new Source(100);
    RowBinner binner = new RowBinner(0, source, Storage.FLOAT, pieces());
    long chunk = (long) Source.CHUNK * ROW_BYTES;
    assertThat(mostHeld(source, binner)).isBetween(chunk, (8L << 10) * PARTITIONS + chunk);
  }

  @Test
  void combiningForAThousandPartitionsHolds64Megabytes() {
    Source source = new Source(100);
    MapSideCombine combining =
        MapSideCombine.of(Scatter.update(), DType.FLOAT32, "auto").orElseThrow();
    RowBinner binner = new RowBinner(0, source, combining, pieces());
    long held = 0;
    long left = 0;
    while (binner.hasNext()) {
      held = Math.max(held, (source.given - left) * ROW_BYTES);
      left += binner.next()._2().count();
    }
    assertThat(held).isLessThan(64L << 20);
    assertThat(left).isLessThanOrEqualTo(source.given);
  }

  @Test
  void writtenArraysAreReused() {
    BlockLayout.Pieces one =
        BlockLayout.of(DType.FLOAT32, Shape.of(SLICES, WIDTH), Partitioning.of(1), 1).pieces(WIDTH);
    RowBinner written = new RowBinner(0, new Source(1), Storage.FLOAT, one);
    ShuffleBatch first = written.next()._2();
    first.markWritten();
    assertThat(written.next()._2().payload()).isSameAs(first.payload());
    RowBinner held = new RowBinner(0, new Source(1), Storage.FLOAT, one);
    ShuffleBatch kept = held.next()._2();
    assertThat(held.next()._2().payload()).isNotSameAs(kept.payload());
  }
}
