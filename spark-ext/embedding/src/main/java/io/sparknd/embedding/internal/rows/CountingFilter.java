/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One partition's buckets of the counting Bloom filter of keys without a row. Immutable: versions
 * share the buckets that no key changed. A bucket that was never counted in is absent.
 */
final class CountingFilter {
  private static final int BUCKET_BYTES = 56;

  private final FilterShape shape;
  private final int index;
  private final int partitions;

  /** The bucket at {@code i} has the number {@code i * partitions + index}. */
  private final FilterBucket[] buckets;

  CountingFilter(FilterShape shape, int index, int partitions, FilterBucket[] buckets) {
    this.shape = shape;
    this.index = index;
    this.partitions = partitions;
    this.buckets = buckets;
  }

  static CountingFilter empty(FilterShape shape, int index, int partitions) {
    int length = (int) ((shape.buckets() - index + partitions - 1L) / partitions);
    return new CountingFilter(shape, index, partitions, new FilterBucket[Math.max(0, length)]);
  }

  FilterShape shape() {
    return shape;
  }

  /** Returns the buckets, of which some are null. */
  FilterBucket[] buckets() {
    return buckets;
  }

  /** Returns the place of the bucket of a key. */
  int place(long key) {
    return shape.bucket(key) / partitions;
  }

  /** Returns the number of the bucket at a place. */
  int number(int place) {
    return place * partitions + index;
  }

  CountingFilter with(FilterBucket[] others) {
    return new CountingFilter(shape, index, partitions, others);
  }

  /**
   * Returns the filter without the counts of keys that did not occur for some time. In each bucket
   * that has marks of more than {@code now - cutoff} steps, counters without a mark are set to 0,
   * and marks begin anew. Counters of a key that occurred since {@code cutoff} keep their values.
   *
   * @param cutoff a number of steps of the table
   * @param now steps of the table
   */
  CountingFilter withoutIdle(long cutoff, long now) {
    FilterBucket[] after = buckets.clone();
    for (int place = 0; place < after.length; place++) {
      FilterBucket bucket = after[place];
      if (bucket != null && bucket.since() < cutoff) {
        after[place] = new FilterBucket(shape.withMarked(bucket.words()), now, now);
      }
    }
    return with(after);
  }

  /** Adds the buckets to the filters of other partitions, which {@code filters} returns. */
  void addTo(IntFunction<CountingFilter> filters, int others) {
    for (int place = 0; place < buckets.length; place++) {
      if (buckets[place] != null) {
        CountingFilter owner = filters.apply(number(place) % others);
        owner.buckets[number(place) / others] = buckets[place];
      }
    }
  }

  /** Returns the filter of a partition, of parts that have different buckets. */
  static CountingFilter merged(CountingFilter empty, Iterator<CountingFilter> parts) {
    FilterBucket[] buckets = empty.buckets.clone();
    while (parts.hasNext()) {
      FilterBucket[] part = parts.next().buckets;
      for (int place = 0; place < buckets.length; place++) {
        buckets[place] = part[place] == null ? buckets[place] : part[place];
      }
    }
    return empty.with(buckets);
  }

  /** Returns the bytes on the heap, including shared ones. */
  long bytes() {
    long bytes = 40 + 8L * buckets.length;
    for (FilterBucket bucket : buckets) {
      bytes += bucket == null ? 0 : BUCKET_BYTES + (long) Long.BYTES * bucket.words().length;
    }
    return bytes;
  }

  void writeTo(RawArrays raw, OutputStream out) throws IOException {
    raw.writeInt(out, shape.buckets());
    raw.writeInt(out, shape.cells());
    raw.writeInt(out, shape.hashes());
    raw.writeInt(out, shape.bits());
    raw.write(out, Storage.LONG, new long[] {shape.seed()}, 0, 1);
    raw.writeInt(out, index);
    raw.writeInt(out, partitions);
    writeChanged(0, raw, out);
  }

  static CountingFilter readFrom(RawArrays raw, InputStream in) throws IOException {
    int buckets = raw.readInt(in);
    int cells = raw.readInt(in);
    int hashes = raw.readInt(in);
    int bits = raw.readInt(in);
    long[] seed = new long[1];
    raw.read(in, Storage.LONG, seed, 0, 1);
    FilterShape shape = new FilterShape(buckets, cells, hashes, bits, seed[0]);
    int index = raw.readInt(in);
    int partitions = raw.readInt(in);
    if (index < 0 || index >= partitions) {
      throw new IOException("its filter is that of partition " + index + " of " + partitions);
    }
    return empty(shape, index, partitions).withChanged(raw, in);
  }

  /** Writes the buckets that were changed since the table had {@code since} steps. */
  void writeChanged(long since, RawArrays raw, OutputStream out) throws IOException {
    for (int place = 0; place < buckets.length; place++) {
      FilterBucket bucket = buckets[place];
      if (bucket != null && bucket.changed() >= since) {
        raw.writeInt(out, place);
        raw.write(out, Storage.LONG, new long[] {bucket.since(), bucket.changed()}, 0, 2);
        raw.write(out, Storage.LONG, bucket.words(), 0, bucket.words().length);
      }
    }
    raw.writeInt(out, buckets.length);
  }

  /** Returns the filter with the buckets that {@link #writeChanged} wrote. */
  CountingFilter withChanged(RawArrays raw, InputStream in) throws IOException {
    FilterBucket[] after = buckets.clone();
    long[] steps = new long[2];
    for (int place = raw.readInt(in); place != after.length; place = raw.readInt(in)) {
      if (place < 0 || place > after.length) {
        throw new IOException("bucket " + place + " of " + after.length + " of its filter");
      }
      raw.read(in, Storage.LONG, steps, 0, 2);
      long[] words = new long[shape.words()];
      raw.read(in, Storage.LONG, words, 0, words.length);
      after[place] = new FilterBucket(words, steps[0], steps[1]);
    }
    return with(after);
  }

  /** Returns whether this is a filter of a partition as {@code other} shapes it; none if null. */
  static boolean fits(@Nullable CountingFilter filter, int index, @Nullable FilterShape other) {
    return filter == null ? other == null : filter.index == index && filter.shape.equals(other);
  }
}
