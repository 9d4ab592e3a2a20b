/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.io.Serializable;

/**
 * Which elements are where. The elements of a tensor, row-major, are cut into blocks of {@code
 * blockElements} (the last may be shorter); block {@code b} is block {@code b / partitions} of
 * partition {@code b % partitions}.
 *
 * <p>A block is a whole number of <em>rows</em>, {@code shape[d:]} for the smallest {@code d} at
 * which a row fits in a block. So a slice of any index depth either lies inside one block or is a
 * whole number of rows, and never has to be cut elsewhere than between rows.
 */
final class BlockLayout implements Serializable {
  private static final long serialVersionUID = 1;

  /** What a partition should hold at most, so that a task can hold the old and the new version. */
  private static final long PARTITION_BYTES = 32L << 20;

  private static final long SMALL_BLOCK = 4 << 10;
  private static final long LARGE_BLOCK = 64 << 10;
  private static final long MANY_BLOCKS = 1 << 20;

  /** A guess at the bytes of a string, whose true size varies. */
  private static final int STRING_BYTES = 32;

  private final DType dtype;
  private final Shape shape;
  private final int partitions;
  private final int rowElements;
  private final int blockElements;
  private final int blockBytes;

  private BlockLayout(
      DType dtype,
      Shape shape,
      int partitions,
      int rowElements,
      int blockElements,
      int blockBytes) {
    this.dtype = dtype;
    this.shape = shape;
    this.partitions = partitions;
    this.rowElements = rowElements;
    this.blockElements = blockElements;
    this.blockBytes = blockBytes;
    if (blocksIn(0) > Integer.MAX_VALUE - 8) {
      throw NdErrors.tooManyBlocks(shape, partitions, blocks());
    }
  }

  /**
   * @param parallelism partitions to use at least where {@code partitioning} leaves the choice
   */
  static BlockLayout of(DType dtype, Shape shape, Partitioning partitioning, int parallelism) {
    int blockBytes =
        partitioning.blockBytes() == 0 ? blockBytesFor(dtype, shape) : partitioning.blockBytes();
    int room = Math.max(1, blockBytes / elementBytes(dtype));
    int depth = 0;
    while (depth < shape.rank() && shape.from(depth).elements() > room) {
      depth++;
    }
    int row = (int) Math.max(1, shape.from(depth).elements());
    int block = Integer.highestOneBit(room / row) * row;
    int partitions = partitioning.partitions();
    if (partitions == 0) {
      partitions = partitionsFor(dtype, shape, block, parallelism);
    }
    return new BlockLayout(dtype, shape, partitions, row, block, blockBytes);
  }

  /** About a million blocks at most, none smaller than what a random row should copy. */
  private static int blockBytesFor(DType dtype, Shape shape) {
    long even = bytes(dtype, shape) / MANY_BLOCKS;
    return (int) Long.highestOneBit(Math.max(SMALL_BLOCK, Math.min(LARGE_BLOCK, even)));
  }

  private static int partitionsFor(DType dtype, Shape shape, int block, int parallelism) {
    long bytes = bytes(dtype, shape);
    long bySize = Math.max(parallelism, bytes / PARTITION_BYTES + 1);
    long byBlocks = Math.max(1, shape.elements() / block + 1);
    return (int) Math.min(Math.min(bySize, byBlocks), 1 << 20);
  }

  private static long bytes(DType dtype, Shape shape) {
    long bytes = shape.elements() * elementBytes(dtype);
    boolean fits = Math.multiplyHigh(shape.elements(), elementBytes(dtype)) == 0 && bytes >= 0;
    return fits ? bytes : Long.MAX_VALUE;
  }

  /** Bytes of one unit, of strings a guess. */
  static int unitBytes(Storage storage) {
    return storage == Storage.STRING ? STRING_BYTES : storage.bytes();
  }

  static int elementBytes(DType dtype) {
    return unitBytes(dtype.storage()) * dtype.units();
  }

  /** The layout of another tensor, cut up in the same way. */
  BlockLayout like(DType otherDType, Shape other) {
    return of(otherDType, other, new Partitioning(partitions, blockBytes), partitions);
  }

  DType dtype() {
    return dtype;
  }

  Shape shape() {
    return shape;
  }

  int partitions() {
    return partitions;
  }

  /** Elements in a row, the smallest thing that a block cannot be cut below. */
  int rowElements() {
    return rowElements;
  }

  int blockElements() {
    return blockElements;
  }

  Partitioning partitioning() {
    return new Partitioning(partitions, blockBytes);
  }

  /** Bytes of the whole tensor, of strings a guess. */
  long bytes() {
    return bytes(dtype, shape);
  }

  /** Blocks of the whole tensor. */
  long blocks() {
    return -Math.floorDiv(-shape.elements(), blockElements);
  }

  /** Blocks of one partition. */
  long blocksIn(int partition) {
    return Math.max(0, -Math.floorDiv(partition - blocks(), partitions));
  }

  /** The number in the whole tensor of block {@code local} of {@code partition}. */
  long block(int partition, int local) {
    return (long) local * partitions + partition;
  }

  /** The first element of a block, row-major. */
  long firstElement(long block) {
    return block * blockElements;
  }

  int elementsIn(long block) {
    return (int) Math.min(blockElements, shape.elements() - firstElement(block));
  }

  int unitsIn(long block) {
    return elementsIn(block) * dtype.units();
  }

  /**
   * How slices of {@code sliceElements} elements lie in the blocks.
   *
   * @param sliceElements the product of the last dimensions of the shape, from any one on
   */
  Pieces pieces(long sliceElements) {
    return piecesOf(Math.min(sliceElements, rowElements), sliceElements);
  }

  /** As {@link #pieces(long)}, cut further into pieces of at most {@code most} elements. */
  Pieces pieces(long sliceElements, long most) {
    return piecesOf(Math.min(most, Math.min(sliceElements, rowElements)), sliceElements);
  }

  private Pieces piecesOf(long pieceElements, long sliceElements) {
    if (pieceElements == 0) {
      return new Pieces(partitions, 1, 0, 1);
    }
    return new Pieces(
        partitions,
        sliceElements / pieceElements,
        (int) pieceElements * dtype.units(),
        blockElements / pieceElements);
  }

  /**
   * Slices as pieces that each lie inside one block, numbered row-major.
   *
   * @param partitions of the layout
   * @param perSlice pieces in a slice
   * @param units length of a piece in units of the dtype's storage
   * @param perBlock pieces in a block
   */
  record Pieces(int partitions, long perSlice, int units, long perBlock) implements Serializable {
    /** The same pieces, each taken as a slice of its own. */
    Pieces single() {
      return new Pieces(partitions, 1, units, perBlock);
    }

    /** The partition that owns {@code piece}. */
    int owner(long piece) {
      return (int) (piece / perBlock % partitions);
    }

    /** The number of {@code piece} among those of its partition, counting unfilled last blocks. */
    long local(long piece) {
      long block = piece / perBlock;
      return block / partitions * perBlock + (piece - block * perBlock);
    }

    /** The piece that is number {@code local} among those of {@code partition}. */
    long global(int partition, long local) {
      long block = local / perBlock;
      return (block * partitions + partition) * perBlock + (local - block * perBlock);
    }
  }
}
