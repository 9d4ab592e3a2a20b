/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.ElementCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.column.statistics.BooleanStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** Minimum and maximum of a page of scalars; engines do not prune lists by them. */
final class PlainStatistics {
  private PlainStatistics() {}

  /** Returns the statistics of a page; null for lists, and if a NaN prevents ordering. */
  static @Nullable Statistics<?> of(LeafColumn leaf, ElementCodec codec, ByteBuffer values) {
    if (leaf.pattern().depth() > 0) {
      return null;
    }
    ByteBuffer page = values.order(ByteOrder.LITTLE_ENDIAN);
    Statistics<?> statistics = Statistics.createStats(leaf.column().getPrimitiveType());
    return switch (codec.physical()) {
      case INT32 -> ints(page, statistics);
      case INT64 -> longs(page, statistics);
      case FLOAT -> floats(page, statistics);
      case DOUBLE -> doubles(page, statistics);
      case BOOLEAN -> booleans(page, statistics);
      default -> decimals(page, codec.width(), statistics);
    };
  }

  private static @Nullable Statistics<?> ints(ByteBuffer page, Statistics<?> statistics) {
    int least = Integer.MAX_VALUE;
    int most = Integer.MIN_VALUE;
    while (page.hasRemaining()) {
      int value = page.getInt();
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    statistics.updateStats(least);
    statistics.updateStats(most);
    return statistics;
  }

  private static @Nullable Statistics<?> longs(ByteBuffer page, Statistics<?> statistics) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    while (page.hasRemaining()) {
      long value = page.getLong();
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    statistics.updateStats(least);
    statistics.updateStats(most);
    return statistics;
  }

  /**
   * Computes statistics in which a zero bound covers both signs: engines differ in whether -0.0 is
   * less than 0.0.
   */
  private static @Nullable Statistics<?> floats(ByteBuffer page, Statistics<?> statistics) {
    float least = Float.POSITIVE_INFINITY;
    float most = Float.NEGATIVE_INFINITY;
    while (page.hasRemaining()) {
      float value = page.getFloat();
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (Float.isNaN(least)) {
      return null;
    }
    statistics.updateStats(least == 0 ? -0f : least);
    statistics.updateStats(most == 0 ? 0f : most);
    return statistics;
  }

  private static @Nullable Statistics<?> doubles(ByteBuffer page, Statistics<?> statistics) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    while (page.hasRemaining()) {
      double value = page.getDouble();
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (Double.isNaN(least)) {
      return null;
    }
    statistics.updateStats(least == 0 ? -0.0 : least);
    statistics.updateStats(most == 0 ? 0.0 : most);
    return statistics;
  }

  private static @Nullable Statistics<?> booleans(ByteBuffer page, Statistics<?> statistics) {
    while (page.hasRemaining()) {
      ((BooleanStatistics) statistics).updateStats(page.get() != 0);
    }
    return statistics;
  }

  private static @Nullable Statistics<?> decimals(
      ByteBuffer page, int width, Statistics<?> statistics) {
    byte[] bytes = page.array();
    for (int at = 0; at < page.limit(); at += width) {
      statistics.updateStats(Binary.fromReusedByteArray(bytes, at, width));
    }
    return statistics;
  }
}
