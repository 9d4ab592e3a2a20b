/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.nearest;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.cluster.internal.partition.RawSerialized;
import io.sparknd.cluster.internal.spark.KnownSize;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The nearest rows of each query of a block, among the rows of some partitions. Scores are larger
 * for nearer rows.
 */
final class NeighborBlock extends RawSerialized implements KnownSize {
  private static final long serialVersionUID = 1;

  private long[] queries;

  /** The rows of query {@code i} are {@code [ends[i - 1], ends[i])}, nearest first. */
  private int[] ends;

  private long[] ids;
  private double[] scores;

  /** For deserialization only. */
  @SuppressWarnings("NullAway.Init") // readExternal sets the fields
  public NeighborBlock() {}

  private NeighborBlock(long[] queries, int[] ends, long[] ids, double[] scores) {
    this.queries = queries;
    this.ends = ends;
    this.ids = ids;
    this.scores = scores;
  }

  /** Returns the rows of one heap a query; clears the heaps. */
  static NeighborBlock of(long[] queries, NeighborHeap[] heaps) {
    int[] ends = new int[heaps.length];
    int total = 0;
    for (int i = 0; i < heaps.length; i++) {
      total = Math.addExact(total, heaps[i].size());
      ends[i] = total;
    }
    long[] ids = new long[total];
    double[] scores = new double[total];
    for (int i = 0; i < heaps.length; i++) {
      heaps[i].drainTo(ids, scores, i == 0 ? 0 : ends[i - 1]);
    }
    return new NeighborBlock(queries, ends, ids, scores);
  }

  /** Returns the nearest {@code k} rows of each query in two blocks of the same queries. */
  static NeighborBlock merged(NeighborBlock one, NeighborBlock other, int k) {
    NeighborHeap[] heaps = new NeighborHeap[one.queries.length];
    for (int i = 0; i < heaps.length; i++) {
      heaps[i] = new NeighborHeap(k);
      one.offerTo(heaps[i], i);
      other.offerTo(heaps[i], i);
    }
    return of(one.queries, heaps);
  }

  private void offerTo(NeighborHeap heap, int i) {
    for (int at = start(i); at < ends[i]; at++) {
      heap.offer(ids[at], scores[at]);
    }
  }

  long[] queries() {
    return queries;
  }

  /** Returns the position of the nearest row of query {@code i}. */
  int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  /** Returns the position after the farthest row of query {@code i}. */
  int end(int i) {
    return ends[i];
  }

  long id(int at) {
    return ids[at];
  }

  double score(int at) {
    return scores[at];
  }

  @Override
  public long estimatedSize() {
    return 96 + 12L * queries.length + 16L * ids.length;
  }

  @Override
  protected void writeRaw(OutputStream out) throws IOException {
    RawArrays raw = new RawArrays();
    raw.writeInt(out, queries.length);
    raw.write(out, Storage.LONG, queries, 0, queries.length);
    raw.write(out, Storage.INT, ends, 0, ends.length);
    raw.write(out, Storage.LONG, ids, 0, ids.length);
    raw.write(out, Storage.DOUBLE, scores, 0, scores.length);
  }

  @Override
  protected void readRaw(InputStream in) throws IOException {
    RawArrays raw = new RawArrays();
    queries = new long[raw.readInt(in)];
    raw.read(in, Storage.LONG, queries, 0, queries.length);
    ends = new int[queries.length];
    raw.read(in, Storage.INT, ends, 0, ends.length);
    ids = new long[queries.length == 0 ? 0 : ends[queries.length - 1]];
    raw.read(in, Storage.LONG, ids, 0, ids.length);
    scores = new double[ids.length];
    raw.read(in, Storage.DOUBLE, scores, 0, scores.length);
  }
}
