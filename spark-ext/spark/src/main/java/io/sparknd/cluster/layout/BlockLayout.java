/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.layout;

import io.sparknd.cluster.ClusterErrors;
import io.sparknd.cluster.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.io.Serializable;

/**
 * Which elements are where. The elements of a tensor, row-major, are cut into blocks of {@code
 * blockElements} (some may be shorter), which {@link BlockPartitioner} gives to partitions. A block
 * is named by its partition and its number there; in a partition, blocks ascend as their elements
 * do.
 *
 * <p>A block is a whole number of <em>rows</em>, {@code shape[d:]} for the smallest {@code d} at
 * which a row fits in a block. So a slice of any index depth either lies inside one block or is a
 * whole number of rows, and never has to be cut elsewhere than between rows.
 */
public final class BlockLayout implements Serializable {
  private static final long serialVersionUID = 1;

  /** What a partition should hold at most, so that a task can hold the old and the new version. */
  public static final long PARTITION_BYTES = 32L << 20;

  private static final long SMALL_BLOCK = 4 << 10;
  private static final long LARGE_BLOCK = 64 << 10;
  private static final long MANY_BLOCKS = 1 << 20;

  /** A guess at the bytes of a string, whose true size varies. */
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
   * @param parallelism partitions to use at least where {@code partitioning} leaves the choice
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
   * The same tensor in ranges of rows.
   *
   * @param firstRows of the ranges, ascending from 0
   * @param owners the partition of each
   */
  public BlockLayout inRanges(int partitions, long[] firstRows, int[] owners) {
    BlockPartitioner ranges =
        new RangeBlockPartitioner(partitions, rows.perBlock(), firstRows, owners);
    return new BlockLayout(dtype, shape, ranges, rowElements, blockBytes);
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
  public static int unitBytes(Storage storage) {
    return storage == Storage.STRING ? STRING_BYTES : storage.bytes();
  }

  public static int elementBytes(DType dtype) {
    return unitBytes(dtype.storage()) * dtype.units();
  }

  /** The layout of another tensor, in as many partitions, with blocks of the same size. */
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

  /** How rows are dealt. */
  public BlockPartitioner rows() {
    return rows;
  }

  /** Elements in a row, the smallest thing that a block cannot be cut below. */
  public int rowElements() {
    return rowElements;
  }

  /** Elements of a full block. */
  public int blockElements() {
    return (int) rows.perBlock() * rowElements;
  }

  public Partitioning partitioning() {
    return new Partitioning(partitions(), blockBytes);
  }

  /** Bytes of the whole tensor, of strings a guess. */
  public long bytes() {
    return bytes(dtype, shape);
  }

  /** Bytes of one partition, counting unfilled blocks whole. */
  public long bytesIn(int partition) {
    return blocksIn(partition) * blockElements() * elementBytes(dtype);
  }

  /** Rows of the whole tensor. */
  private long rowCount() {
    return shape.elements() / rowElements;
  }

  /** Blocks of one partition. */
  public long blocksIn(int partition) {
    return rows.blocksIn(partition, rowCount());
  }

  /** The partition that owns {@code element}. */
  public int owner(long element) {
    return rows.owner(element / rowElements);
  }

  /** The place of {@code element} among those of its partition, counting unfilled blocks whole. */
  public long place(long element) {
    return rows.local(element / rowElements) * rowElements + element % rowElements;
  }

  /** The first element of block {@code local} of {@code partition}, row-major. */
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
   * How slices of {@code sliceElements} elements lie in the blocks.
   *
   * @param sliceElements the product of the last dimensions of the shape, from any one on
   */
  public Pieces pieces(long sliceElements) {
    return piecesOf(Math.min(sliceElements, rowElements), sliceElements);
  }

  /** As {@link #pieces(long)}, cut further into pieces of at most {@code most} elements. */
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
   * Slices as pieces that each lie inside one block, numbered row-major.
   *
   * @param dealing of the pieces
   * @param perSlice pieces in a slice
   * @param units length of a piece in units of the dtype's storage
   */
  public record Pieces(BlockPartitioner dealing, long perSlice, int units) implements Serializable {
    /** The same pieces, each taken as a slice of its own. */
    public Pieces single() {
      return new Pieces(dealing, 1, units);
    }

    public int partitions() {
      return dealing.partitions();
    }

    /** Pieces in a full block. */
    public long perBlock() {
      return dealing.perBlock();
    }

    /** The partition that owns {@code piece}. */
    public int owner(long piece) {
      return dealing.owner(piece);
    }

    /** The number of {@code piece} among those of its partition, counting unfilled blocks whole. */
    public long local(long piece) {
      return dealing.local(piece);
    }

    /** The piece that is number {@code local} among those of {@code partition}. */
    public long global(int partition, long local) {
      return dealing.global(partition, local);
    }
  }
}
