/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.tensor.Storage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * The file format of the blocks of one saved partition. The file holds the bytes of the blocks as
 * {@link RawArrays} writes them, one after the other; then for each block its position, length and
 * CRC-32C (8, 8 and 4 bytes, little-endian); then their number and a magic number (4 and 8 bytes).
 * A full block of zeros that was never written has length 0.
 */
final class BlockFile implements AutoCloseable {
  private static final long MAGIC = 0x31_30_44_4e_4b_50_53_4eL;
  private static final int TAIL = Integer.BYTES + Long.BYTES;
  private static final int ENTRY = Long.BYTES + Long.BYTES + Integer.BYTES;

  private final HadoopFiles file;
  private final Storage storage;
  private final FSDataInputStream in;
  private final ByteBuffer index;
  private final ReadAhead blocks;

  private BlockFile(HadoopFiles file, Storage storage, FSDataInputStream in, ByteBuffer index) {
    this.file = file;
    this.storage = storage;
    this.in = in;
    this.index = index;
    int last = index.capacity() - ENTRY;
    long end = last < 0 ? 0 : index.getLong(last) + index.getLong(last + Long.BYTES);
    this.blocks = new ReadAhead(in, end);
  }

  static void write(TensorPartition partition, Storage storage, OutputStream out)
      throws IOException {
    Object[] blocks = partition.blocks();
    ByteBuffer index = little(blocks.length * ENTRY + TAIL);
    long position = 0;
    for (int local = 0; local < blocks.length; local++) {
      byte[] bytes = bytes(partition, storage, local);
      out.write(bytes);
      index.putLong(position).putLong(bytes.length).putInt(checksum(ByteBuffer.wrap(bytes)));
      position += bytes.length;
    }
    out.write(index.putInt(blocks.length).putLong(MAGIC).array());
  }

  private static byte[] bytes(TensorPartition partition, Storage storage, int local)
      throws IOException {
    Object block = partition.blocks()[local];
    if (partition.isFill(local) && isZero(storage, block)) {
      return new byte[0];
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new RawArrays().write(bytes, storage, block, 0, storage.length(block));
    return bytes.toByteArray();
  }

  private static boolean isZero(Storage storage, Object block) {
    Object zeros = storage.allocate(storage.length(block));
    return java.util.Arrays.deepEquals(new Object[] {block}, new Object[] {zeros});
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static BlockFile open(HadoopFiles file, Storage storage) throws IOException {
    long length = file.length();
    FSDataInputStream in = file.open();
    try {
      return new BlockFile(file, storage, in, index(file, in, length));
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private static ByteBuffer index(HadoopFiles file, FSDataInputStream in, long length)
      throws IOException {
    ByteBuffer tail = little(TAIL);
    if (length < TAIL) {
      throw ClusterErrors.damagedBlocks(file.toString());
    }
    in.readFully(length - TAIL, tail.array());
    long count = tail.getInt();
    long start = length - TAIL - count * ENTRY;
    boolean isOfBlocks = tail.getLong() == MAGIC && count >= 0 && start >= 0;
    if (!isOfBlocks || count > Integer.MAX_VALUE / ENTRY) {
      throw ClusterErrors.damagedBlocks(file.toString());
    }
    ByteBuffer index = little((int) count * ENTRY);
    in.readFully(start, index.array());
    if (!isWithoutGaps(index, start)) {
      throw ClusterErrors.damagedBlocks(file.toString());
    }
    return index;
  }

  /** The index has no checksum of its own, and a length of 0 stands for a block of zeros. */
  private static boolean isWithoutGaps(ByteBuffer index, long end) {
    long next = 0;
    for (int at = 0; at < index.capacity(); at += ENTRY) {
      long length = index.getLong(at + Long.BYTES);
      boolean isNext = index.getLong(at) == next;
      if (!isNext || length < 0 || length > Math.min(end - next, Integer.MAX_VALUE)) {
        return false;
      }
      next += length;
    }
    return next == end;
  }

  /**
   * Reads block {@code place} of the partition, of {@code units} units; empty for a block of zeros.
   *
   * @throws io.sparknd.tensor.SparkNdException if the file is damaged
   */
  Optional<Object> read(int place, int units) throws IOException {
    if ((place + 1) * ENTRY > index.capacity()) {
      throw ClusterErrors.damagedBlocks(file.toString());
    }
    long position = index.getLong(place * ENTRY);
    long length = index.getLong(place * ENTRY + Long.BYTES);
    if (length == 0) {
      return Optional.empty();
    }
    ByteBuffer bytes = blocks.read(position, Math.toIntExact(length));
    if (checksum(bytes) != index.getInt(place * ENTRY + 2 * Long.BYTES)) {
      throw ClusterErrors.damagedBlocks(file.toString());
    }
    Object array = storage.allocate(units);
    InputStream raw =
        new ByteArrayInputStream(
            bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    new RawArrays().read(raw, storage, array, 0, units);
    return Optional.of(array);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
