/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.embedding.internal.FeedErrors;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Packs encoded rows, in the columns of {@link FeatureEncoding}, into a chunk. */
final class ChunkBuilder {
  /** The longest array of a Java virtual machine. */
  private static final int MOST = Integer.MAX_VALUE - 8;

  private final List<String> names;

  /** Null for columns whose ids are not numbered; those of queries are ids. */
  private final @Nullable NumberedIds[] numbered;

  private final int label;
  private final int dense;
  private final int categorical;
  private final int[][] offsets;
  private final long[][] lists;
  private int rows;
  private float[] labels = new float[0];
  private float[] numbers = new float[0];
  private long[] ids = new long[0];
  private long checksum;

  private ChunkBuilder(FeatureShape shape) {
    this.names = shape.names();
    this.numbered = names.stream().map(shape.numbered()::get).toArray(NumberedIds[]::new);
    this.label = shape.labels();
    this.dense = shape.dense();
    this.categorical = shape.categorical();
    this.offsets = new int[shape.multiValued()][1];
    this.lists = new long[shape.multiValued()][0];
  }

  /** Packs all rows. */
  static FeatureChunk chunk(FeatureShape shape, Iterator<InternalRow> rows) {
    ChunkBuilder builder = new ChunkBuilder(shape);
    rows.forEachRemaining(builder::add);
    return builder.chunk();
  }

  private void add(InternalRow row) {
    labels = reserved(labels, (rows + 1L) * label);
    numbers = reserved(numbers, (rows + 1L) * dense);
    ids = reserved(ids, (rows + 1L) * categorical);
    if (label == 1) {
      labels[rows] = number(row, 0);
    }
    for (int i = 0; i < dense; i++) {
      numbers[rows * dense + i] = number(row, label + i);
    }
    for (int i = 0; i < categorical; i++) {
      int ordinal = label + dense + i;
      requirePresent(row.isNullAt(ordinal), ordinal);
      ids[rows * categorical + i] = id(row.getLong(ordinal), ordinal);
      checksum = SeededMix.and(checksum, ids[rows * categorical + i]);
    }
    for (int i = 0; i < lists.length; i++) {
      addList(i, row, label + dense + categorical + i);
    }
    rows++;
  }

  private float number(InternalRow row, int ordinal) {
    requirePresent(row.isNullAt(ordinal), ordinal);
    float value = row.getFloat(ordinal) + 0f; // grouping does not tell -0 from 0
    checksum = SeededMix.and(checksum, Float.floatToIntBits(value));
    return value;
  }

  private void addList(int feature, InternalRow row, int ordinal) {
    requirePresent(InternalRows.hasNull(row, ordinal), ordinal);
    long[] list = InternalRows.longs(row, ordinal);
    int[] ends = offsets[feature];
    if (rows + 1 == ends.length) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
      offsets[feature] = ends;
    }
    lists[feature] = reserved(lists[feature], (long) ends[rows] + list.length);
    System.arraycopy(list, 0, lists[feature], ends[rows], list.length);
    ends[rows + 1] = ends[rows] + list.length;
    checksum = SeededMix.and(checksum, list.length);
    for (int i = ends[rows]; i < ends[rows + 1]; i++) {
      lists[feature][i] = id(lists[feature][i], ordinal);
      checksum = SeededMix.and(checksum, lists[feature][i]);
    }
  }

  private long id(long encoded, int ordinal) {
    NumberedIds ids = numbered[ordinal];
    return ids == null ? encoded : ids.id(names.get(ordinal), encoded);
  }

  private void requirePresent(boolean isMissing, int ordinal) {
    if (isMissing) {
      throw FeedErrors.missingFeature(names.get(ordinal));
    }
  }

  private FeatureChunk chunk() {
    PackedIds[] packed = new PackedIds[lists.length];
    for (int i = 0; i < packed.length; i++) {
      packed[i] = PackedIds.of(lists[i], offsets[i][rows]);
      offsets[i] = Arrays.copyOf(offsets[i], rows + 1);
    }
    return new FeatureChunk(
        rows,
        SeededMix.and(checksum, rows),
        Arrays.copyOf(labels, rows * label),
        Arrays.copyOf(numbers, rows * dense),
        PackedIds.of(ids, rows * categorical),
        packed,
        offsets);
  }

  private static float[] reserved(float[] array, long size) {
    return size <= array.length ? array : Arrays.copyOf(array, grown(size));
  }

  private static long[] reserved(long[] array, long size) {
    return size <= array.length ? array : Arrays.copyOf(array, grown(size));
  }

  /** Returns the length of an array that has room for {@code size} values and some more. */
  static int grown(long size) {
    if (size > MOST) {
      throw FeedErrors.largeChunk(size, MOST);
    }
    return (int) Math.max(16, Math.min(MOST, size + size / 2));
  }
}
