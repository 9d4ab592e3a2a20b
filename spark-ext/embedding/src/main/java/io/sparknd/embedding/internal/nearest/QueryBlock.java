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
 * Consecutive queries of a partition. A class and not a record: Kryo cannot instantiate records.
 */
final class QueryBlock extends RawSerialized implements KnownSize {
  private static final long serialVersionUID = 1;

  private long key;
  private long[] ids;
  private float[] vectors;

  /** For deserialization only. */
  @SuppressWarnings("NullAway.Init") // readExternal sets the fields
  public QueryBlock() {}

  /**
   * @param source partition of the queries
   * @param number number of the block in its partition
   * @param ids {@code [queries]}
   * @param vectors {@code [queries, dim]}, row-major
   */
  QueryBlock(int source, int number, long[] ids, float[] vectors) {
    this.key = (long) source << 32 | number;
    this.ids = ids;
    this.vectors = vectors;
  }

  /** Returns a number that no other block has. */
  long key() {
    return key;
  }

  int count() {
    return ids.length;
  }

  long[] ids() {
    return ids;
  }

  float[] vectors() {
    return vectors;
  }

  @Override
  public long estimatedSize() {
    return 64 + (long) Long.BYTES * ids.length + (long) Float.BYTES * vectors.length;
  }

  @Override
  protected void writeRaw(OutputStream out) throws IOException {
    RawArrays raw = new RawArrays();
    raw.writeInt(out, ids.length);
    raw.writeInt(out, vectors.length);
    raw.write(out, Storage.LONG, new long[] {key}, 0, 1);
    raw.write(out, Storage.LONG, ids, 0, ids.length);
    raw.write(out, Storage.FLOAT, vectors, 0, vectors.length);
  }

  @Override
  protected void readRaw(InputStream in) throws IOException {
    RawArrays raw = new RawArrays();
    ids = new long[raw.readInt(in)];
    vectors = new float[raw.readInt(in)];
    long[] number = new long[1];
    raw.read(in, Storage.LONG, number, 0, 1);
    key = number[0];
    raw.read(in, Storage.LONG, ids, 0, ids.length);
    raw.read(in, Storage.FLOAT, vectors, 0, vectors.length);
  }
}
