/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.StringHelper;

/**
 * Groups rows by their vectors. A temporary file has each vector once, with the id of its first
 * row. Memory: at most 20 bytes for a vector, and 16 bytes for each other row with it.
 */
final class DistinctVectors implements Closeable {
  /** Receives a vector and the ids of its rows, ascending. */
  interface Consumer {
    void accept(float[] vector, long[] ids) throws IOException;
  }

  private static final int FIRST_SLOTS = 1 << 10;
  private static final int MOST_SLOTS = 1 << 30;

  /** Maximum vectors: the search for a free slot ends. */
  private static final int MOST_VECTORS = MOST_SLOTS / 4 * 3;

  private final int dim;
  private final FileChannel file;

  /** A row: its id, then {@code [dim]} float32. */
  private final ByteBuffer row;

  /** A record of the file, like a row. */
  private final ByteBuffer stored;

  /** A hash table of vectors, by linear probing: number of the vector plus 1, or 0. */
  private int[] slots = new int[FIRST_SLOTS];

  /** {@code [count]}: hashes of vectors. */
  private int[] hashes = new int[FIRST_SLOTS];

  private int count;

  /** {@code [repeatedCount]}: number of the vector, times 2^32, plus position in the ids. */
  private long[] repeated = new long[0];

  /** {@code [repeatedCount]}: ids of rows whose vector an earlier row has. */
  private long[] repeatedIds = new long[0];

  private int repeatedCount;

  private DistinctVectors(int dim, FileChannel file) {
    this.dim = dim;
    this.file = file;
    this.row = ByteBuffer.allocate(Long.BYTES + dim * Float.BYTES);
    this.stored = ByteBuffer.allocate(row.capacity());
  }

  /** Creates the file, which {@link #close} deletes. */
  static DistinctVectors create(Path path, int dim) throws IOException {
    return new DistinctVectors(
        dim,
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE));
  }

  /**
   * Adds a row. Zeros of both signs are equal.
   *
   * @param id above those before
   * @param vector {@code [dim]}, finite
   */
  void add(long id, float[] vector) throws IOException {
    row.putLong(0, id);
    for (int i = 0; i < dim; i++) {
      row.putFloat(Long.BYTES + i * Float.BYTES, vector[i] + 0f); // -0 + 0 is 0
    }
    int hash = StringHelper.murmurhash3_x86_32(row.array(), Long.BYTES, dim * Float.BYTES, 0);
    int slot = hash & slots.length - 1;
    for (; slots[slot] != 0; slot = slot + 1 & slots.length - 1) {
      int number = slots[slot] - 1;
      if (hashes[number] == hash && isVectorOf(number)) {
        repeat(number, id);
        return;
      }
    }
    if (count == MOST_VECTORS) {
      throw EmbeddingErrors.badIndexSize("the number of distinct rows", 1L + count, 0, count);
    }
    write();
    hashes = ArrayUtil.grow(hashes, count + 1);
    hashes[count++] = hash;
    slots[slot] = count;
    if (count > slots.length / 2 && slots.length < MOST_SLOTS) {
      enlarge();
    }
  }

  private void repeat(int number, long id) {
    repeated = ArrayUtil.grow(repeated, repeatedCount + 1);
    repeatedIds = ArrayUtil.grow(repeatedIds, repeatedCount + 1);
    repeated[repeatedCount] = (long) number << Integer.SIZE | repeatedCount;
    repeatedIds[repeatedCount++] = id;
  }

  private void enlarge() {
    slots = new int[slots.length * 2];
    for (int number = 0; number < count; number++) {
      int slot = hashes[number] & slots.length - 1;
      while (slots[slot] != 0) {
        slot = slot + 1 & slots.length - 1;
      }
      slots[slot] = number + 1;
    }
  }

  private void write() throws IOException {
    row.clear();
    for (long at = (long) count * row.capacity(); row.hasRemaining(); ) {
      at += file.write(row, at);
    }
  }

  private void read(int number) throws IOException {
    stored.clear();
    for (long at = (long) number * stored.capacity(); stored.hasRemaining(); ) {
      int bytes = file.read(stored, at);
      if (bytes < 0) {
        throw new EOFException("the temporary file of vectors ends at " + at);
      }
      at += bytes;
    }
  }

  private boolean isVectorOf(int number) throws IOException {
    read(number);
    return Arrays.equals(
        row.array(), Long.BYTES, row.capacity(), stored.array(), Long.BYTES, row.capacity());
  }

  /** Passes all vectors, in the order of their first rows. No rows can be added after it. */
  void forEach(Consumer consumer) throws IOException {
    slots = new int[0];
    hashes = new int[0];
    Arrays.sort(repeated, 0, repeatedCount);
    int next = 0;
    for (int number = 0; number < count; number++) {
      int from = next;
      while (next < repeatedCount && repeated[next] >>> Integer.SIZE == number) {
        next++;
      }
      read(number);
      long[] ids = new long[1 + next - from];
      ids[0] = stored.getLong(0);
      for (int i = 1; i < ids.length; i++) {
        ids[i] = repeatedIds[(int) repeated[from + i - 1]];
      }
      float[] vector = new float[dim];
      stored.position(Long.BYTES).asFloatBuffer().get(vector);
      consumer.accept(vector, ids);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
