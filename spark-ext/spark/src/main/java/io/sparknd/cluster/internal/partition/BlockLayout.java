/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.io.Serializable;

/**
 * Maps the elements of a tensor to blocks and partitions. The row-major elements are cut into
 * blocks of {@code blockElements} (some may be shorter), which a {@link BlockPartitioner} assigns
 * to partitions. A block is identified by its partition and its number there; within a partition,
 * blocks ascend as their elements do.
 *
 * <p>A block is a whole number of <em>rows</em>, {@code shape[d:]} for the smallest {@code d} at
 * which a row fits in a block. So a slice of any index depth either is inside one block or is a
 * whole number of rows, and is only ever split between rows.
 */
public final class BlockLayout implements Serializable {
  private static final long serialVersionUID = 1;

  /** The target size of a partition, so that a task can hold the old and the new version. */
  public static final long PARTITION_BYTES = 32L << 20;

  private static final long SMALL_BLOCK = 4 << 10;
  private static final long LARGE_BLOCK = 64 << 10;
  private static final long MANY_BLOCKS = 1 << 20;

  /** Estimated bytes of a string. */
  private static final int STRING_BYTES = 32;

  private final DType dtype;
  private final Shape shape;
  private final BlockPartitioner rows;
  private final int rowElements;
  private final int blockBytes;

  private BlockLayout(
      DType dtype, Shape shape, BlockPartitioner rows, int rowElements, int blockBytes) {
    this.dtype = dtype;
    this.shape = shape;
    this.rows = rows;
    this.rowElements = rowElements;
    this.blockBytes = blockBytes;
    if (blocksIn(0) > Integer.MAX_VALUE - 8) {
      long blocks = -Math.floorDiv(-shape.elements(), blockElements());
      throw ClusterErrors.tooManyBlocks(shape, partitions(), blocks);
    }
  }

  /**
   * Returns the block-cyclic layout of a tensor.
   *
   * @param parallelism the minimum number of partitions if {@code partitioning} leaves the choice;
   *     small tensors can have fewer
   */
  public static BlockLayout of(
      DType dtype, Shape shape, Partitioning partitioning, int parallelism) {
    int blockBytes =
        partitioning.blockBytes() == 0 ? blockBytesFor(dtype, shape) : partitioning.blockBytes();
    int room = Math.max(1, blockBytes / elementBytes(dtype));
    int depth = 0;
    while (depth < shape.rank() && shape.from(depth).elements() > room) {
      depth++;
    }
    int row = (int) Math.max(1, shape.from(depth).elements());
    int perBlock = Integer.highestOneBit(room / row);
    int partitions = partitioning.partitions();
    if (partitions == 0) {
      partitions = partitionsFor(dtype, shape, perBlock * row, parallelism);
    }
    BlockPartitioner rows = new CyclicBlockPartitioner(partitions, perBlock);
    return new BlockLayout(dtype, shape, rows, row, blockBytes);
  }

  /**
   * Returns the layout of the same tensor in ranges of rows.
   *
   * @param firstRows the first rows of the ranges, ascending from 0
   * @param owners the partition of each range
   */
  public BlockLayout inRanges(int partitions, long[] firstRows, int[] owners) {
    BlockPartitioner ranges =
        new RangeBlockPartitioner(partitions, rows.perBlock(), firstRows, owners);
    return new BlockLayout(dtype, shape, ranges, rowElements, blockBytes);
  }

  /** Chooses the block size from 4 KiB to 64 KiB that gives about a million blocks. */
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

  /** Returns the bytes of one unit; strings are estimated. */
  public static int unitBytes(Storage storage) {
    return storage == Storage.STRING ? STRING_BYTES : storage.bytes();
  }

  public static int elementBytes(DType dtype) {
    return unitBytes(dtype.storage()) * dtype.units();
  }

  /** Returns the layout of another tensor with as many partitions and blocks of the same size. */
  public BlockLayout like(DType otherDType, Shape other) {
    return of(otherDType, other, partitioning(), partitions());
  }

  public DType dtype() {
    return dtype;
  }

  public Shape shape() {
    return shape;
  }

  public int partitions() {
    return rows.partitions();
  }

  /** Returns the assignment of rows to partitions. */
  public BlockPartitioner rows() {
    return rows;
  }

  /** Returns the elements in a row, the smallest unit of a block. */
  public int rowElements() {
    return rowElements;
  }

  /** Returns the elements of a full block. */
  public int blockElements() {
    return (int) rows.perBlock() * rowElements;
  }

  public Partitioning partitioning() {
    return new Partitioning(partitions(), blockBytes);
  }

  /** Returns the bytes of the whole tensor; strings are estimated. */
  public long bytes() {
    return bytes(dtype, shape);
  }

  /** Returns the bytes of one partition, counting partial blocks as full. */
  public long bytesIn(int partition) {
    return blocksIn(partition) * blockElements() * elementBytes(dtype);
  }

  /** Rows of the whole tensor. */
  private long rowCount() {
    return shape.elements() / rowElements;
  }

  /** Returns the number of blocks of one partition. */
  public long blocksIn(int partition) {
    return rows.blocksIn(partition, rowCount());
  }

  /** Returns the partition that owns {@code element}. */
  public int owner(long element) {
    return rows.owner(element / rowElements);
  }

  /** Returns the position of {@code element} in its partition, counting partial blocks as full. */
  public long place(long element) {
    return rows.local(element / rowElements) * rowElements + element % rowElements;
  }

  /** Returns the first row-major element of block {@code local} of {@code partition}. */
  public long firstElement(int partition, int local) {
    return rows.global(partition, local * rows.perBlock()) * rowElements;
  }

  public int elementsIn(int partition, int local) {
    long first = rows.global(partition, local * rows.perBlock());
    return (int) rows.inBlock(first, rowCount()) * rowElements;
  }

  public int unitsIn(int partition, int local) {
    return elementsIn(partition, local) * dtype.units();
  }

  /**
   * Returns the pieces of slices of {@code sliceElements} elements.
   *
   * @param sliceElements the product of the last dimensions of the shape, from any one on
   */
  public Pieces pieces(long sliceElements) {
    return piecesOf(Math.min(sliceElements, rowElements), sliceElements);
  }

  /**
   * Returns the pieces of slices, like {@link #pieces(long)}, but of at most {@code most} elements.
   */
  public Pieces pieces(long sliceElements, long most) {
    return piecesOf(Math.min(most, Math.min(sliceElements, rowElements)), sliceElements);
  }

  private Pieces piecesOf(long pieceElements, long sliceElements) {
    if (pieceElements == 0) {
      return new Pieces(new CyclicBlockPartitioner(partitions(), 1), 1, 0);
    }
    return new Pieces(
        rows.inParts(rowElements / pieceElements),
        sliceElements / pieceElements,
        (int) pieceElements * dtype.units());
  }

  /**
   * Slices as pieces that each are inside one block, numbered row-major.
   *
   * @param partitioner the assignment of pieces to partitions
   * @param perSlice pieces in a slice
   * @param units length of a piece in units of the dtype's storage
   */
  public record Pieces(BlockPartitioner partitioner, long perSlice, int units)
      implements Serializable {
    /** Returns the same pieces, each as a slice of its own. */
    public Pieces single() {
      return new Pieces(partitioner, 1, units);
    }

    public int partitions() {
      return partitioner.partitions();
    }

    /** Returns the number of pieces in a full block. */
    public long perBlock() {
      return partitioner.perBlock();
    }

    /** Returns the partition that owns {@code piece}. */
    public int owner(long piece) {
      return partitioner.owner(piece);
    }

    /** Returns the number of {@code piece} in its partition, counting partial blocks as full. */
    public long local(long piece) {
      return partitioner.local(piece);
    }

    /** Returns the piece with number {@code local} in {@code partition}. */
    public long global(int partition, long local) {
      return partitioner.global(partition, local);
    }
  }
}
