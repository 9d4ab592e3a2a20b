/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import io.sparknd.cluster.internal.spark.KnownSize;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one partition of one version of a tensor. It is never written after construction: a
 * later version shares the arrays that it leaves untouched, and full blocks that hold only the fill
 * value share one array.
 */
public final class TensorPartition extends RawSerialized implements KnownSize {
  private static final long serialVersionUID = 1;
  private static final int FILL = -1;

  private Storage storage;
  private int index;
  private Object fill;
  private Object[] blocks;
  private long ownBytes;

  /** For deserialization only. */
  @SuppressWarnings("NullAway.Init") // readRaw sets the fields
  public TensorPartition() {}

  private TensorPartition(Storage storage, int index, Object fill, Object[] blocks, long ownBytes) {
    this.storage = storage;
    this.index = index;
    this.fill = fill;
    this.blocks = blocks;
    this.ownBytes = ownBytes;
  }

  /**
   * Returns the only partition of a task's input. It also tests for a second, so that Spark detects
   * the end of the iterator and unlocks the cached block.
   */
  public static TensorPartition only(Iterator<TensorPartition> partitions) {
    TensorPartition partition = partitions.next();
    if (partitions.hasNext()) {
      throw new IllegalStateException("two tensor partitions in one Spark partition");
    }
    return partition;
  }

  /** Returns a partition of a tensor that has {@code value} everywhere. */
  public static TensorPartition filled(BlockLayout layout, int index, @Nullable Object value) {
    DType dtype = layout.dtype();
    Object fill = ConstantArrays.array(dtype, value, layout.blockElements());
    Object[] blocks = dtype.storage().allocateBlocks((int) layout.blocksIn(index));
    long own = bytes(dtype.storage(), fill) + 8L * blocks.length;
    for (int local = 0; local < blocks.length; local++) {
      int units = layout.unitsIn(index, local);
      boolean whole = units == dtype.storage().length(fill);
      blocks[local] = whole ? fill : dtype.storage().copyOfRange(fill, 0, units);
    }
    return new TensorPartition(dtype.storage(), index, fill, blocks, own);
  }

  /** Returns a partition that owns all of {@code blocks}. */
  public static TensorPartition of(Storage storage, int index, Object[] blocks) {
    long own = 8L * blocks.length;
    for (Object block : blocks) {
      own += bytes(storage, block);
    }
    return new TensorPartition(storage, index, storage.allocate(0), blocks, own);
  }

  /**
   * Returns the next version of this partition, with {@code written} blocks; shared ones add no
   * bytes.
   */
  public TensorPartition next(SliceBlocks written) {
    Object[] arrays = written.arrays();
    long own = 8L * arrays.length;
    for (int local = 0; local < arrays.length; local++) {
      own += written.isShared(local) ? 0 : bytes(storage, arrays[local]);
    }
    return new TensorPartition(storage, index, fill, arrays, own);
  }

  /**
   * Returns this partition with {@code arrays} as its blocks; arrays that it already has add no
   * bytes.
   */
  public TensorPartition with(Object[] arrays) {
    long own = ownBytes;
    for (int local = 0; local < arrays.length; local++) {
      own += arrays[local] == blocks[local] ? 0 : bytes(storage, arrays[local]);
    }
    return new TensorPartition(storage, index, fill, arrays, own);
  }

  public int index() {
    return index;
  }

  /** Returns the arrays in block order. They must not be written to. */
  public Object[] blocks() {
    return blocks;
  }

  /**
   * Whether block {@code local} is the shared fill array, so was never written; false for partial
   * blocks.
   */
  public boolean isFill(int local) {
    return blocks[local] == fill;
  }

  /** Returns the bytes that this version adds to the blocks that it shares. */
  @Override
  public long estimatedSize() {
    return ownBytes;
  }

  private static long bytes(Storage storage, Object array) {
    if (array instanceof String[] strings) {
      long sum = 16;
      for (String string : strings) {
        sum += string.isEmpty() ? 4 : 44L + string.length();
      }
      return sum;
    }
    return 16 + (long) storage.length(array) * storage.bytes();
  }

  @Override
  protected void writeRaw(OutputStream bytes) throws IOException {
    RawArrays raw = new RawArrays();
    raw.writeInt(bytes, storage.ordinal());
    raw.writeInt(bytes, index);
    writeBlock(raw, bytes, fill);
    raw.writeInt(bytes, blocks.length);
    for (int local = 0; local < blocks.length; local++) {
      if (isFill(local)) {
        raw.writeInt(bytes, FILL);
      } else {
        writeBlock(raw, bytes, blocks[local]);
      }
    }
  }

  private void writeBlock(RawArrays raw, OutputStream out, Object block) throws IOException {
    int units = storage.length(block);
    raw.writeInt(out, units);
    raw.write(out, storage, block, 0, units);
  }

  @Override
  protected void readRaw(InputStream bytes) throws IOException {
    RawArrays raw = new RawArrays();
    storage = Storage.values()[raw.readInt(bytes)];
    index = raw.readInt(bytes);
    fill = readBlock(raw, bytes);
    blocks = storage.allocateBlocks(raw.readInt(bytes));
    ownBytes = bytes(storage, fill) + 8L * blocks.length;
    for (int local = 0; local < blocks.length; local++) {
      blocks[local] = readBlock(raw, bytes);
      ownBytes += isFill(local) ? 0 : bytes(storage, blocks[local]);
    }
  }

  private Object readBlock(RawArrays raw, InputStream in) throws IOException {
    int units = raw.readInt(in);
    if (units == FILL) {
      return fill;
    }
    Object block = storage.allocate(units);
    raw.read(in, storage, block, 0, units);
    return block;
  }
}
