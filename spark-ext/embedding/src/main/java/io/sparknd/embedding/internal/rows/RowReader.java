/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.kernel.cpu.FloatRows;
import io.sparknd.kernel.cpu.HalfRows;
import org.jspecify.annotations.Nullable;

/** Reads weights from a partition, for one thread. */
public final class RowReader {
  /** Rows that are prefetched before they are copied. */
  private static final int WINDOW = 16;

  /** If the first and the last row of a window are fewer blocks apart, most rows share slabs. */
  private static final int NEAR = 4 * EmbeddingPartition.PAGE;

  private final EmbeddingPartition partition;
  private final RowLayout layout;
  private final InitialRows initial;
  private final boolean isNumbered;
  private final int perBlock;
  private final int shift;

  /** The weights of a row that was not written. */
  private final Object generated;

  private final PrefetchedRows prefetched;

  public RowReader(EmbeddingPartition partition, RowLayout layout, RowDirectory directory) {
    this.partition = partition;
    this.layout = layout;
    this.isNumbered = partition.rows() instanceof DenseRowIndex;
    this.perBlock = layout.perBlock();
    this.shift = Integer.numberOfTrailingZeros(perBlock);
    this.generated = layout.storage().allocate(layout.dim());
    this.prefetched = new PrefetchedRows(layout, WINDOW);
    this.initial = new InitialRows(layout, directory, partition.index());
  }

  /** Returns copies of the rows at {@code addresses[from .. to)}, consecutive in a new array. */
  public Object weights(long[] addresses, int from, int to) {
    Object rows = layout.storage().allocate((to - from) * layout.dim());
    for (int i = from; i < to; i++) {
      if ((i - from) % WINDOW == 0) {
        prefetch(addresses, i, Math.min(i + WINDOW, to));
      }
      long number = partition.rows().row(addresses[i]);
      RowBlock block = block(number);
      int at = (i - from) * layout.dim();
      if (block == null) {
        initial.weights(addresses[i], rows, at);
      } else {
        int row = block.at(number, perBlock);
        System.arraycopy(block.weights(), row * layout.dim(), rows, at, layout.dim());
      }
    }
    return rows;
  }

  /**
   * Copies the requested rows to their positions in {@code [count, dim]}, widened to float32.
   *
   * @param to has a row for each position
   */
  public void copy(RowRequest request, float[] to) {
    long[] addresses = request.addresses();
    int ready = 0;
    for (int i = 0; i < addresses.length; ) {
      if (i >= ready) {
        ready = Math.min(i + WINDOW, addresses.length);
        if (!areNear(addresses[i], addresses[ready - 1])) {
          prefetch(addresses, i, ready);
        }
      }
      long number = partition.rows().row(addresses[i]);
      RowBlock block = block(number);
      if (isNumbered && block != null && isFloatSlab(block)) {
        i = copyNeighbors(request, i, block, to);
      } else {
        copy(block, number, addresses[i], to, request.positions()[i] * layout.dim());
        i++;
      }
    }
  }

  /** Returns whether most rows from one to another one are in few slabs. */
  private boolean areNear(long first, long last) {
    RowBlock block = isNumbered ? block(first) : null; // a numbered row's address is its number
    return block != null && isFloatSlab(block) && last - first >> shift < NEAR;
  }

  private static boolean isFloatSlab(RowBlock block) {
    return block.isSlab() && block.weights() instanceof float[];
  }

  /**
   * Copies row {@code from} of a request, and those right after it that are in the same slab of
   * float32: there is little else between their copies, so that the CPU fetches many at once.
   *
   * @return number of the row after these
   */
  private int copyNeighbors(RowRequest request, int from, RowBlock slab, float[] to) {
    // in variables: the compiler would read fields again for each row
    long[] rows = request.addresses();
    int[] positions = request.positions();
    float[] weights = (float[]) slab.weights();
    int dim = layout.dim();
    int shift = this.shift;
    int mask = EmbeddingPartition.PAGE * perBlock - 1; // as in RowBlock.at
    int first = (int) (rows[from] >>> shift) & -EmbeddingPartition.PAGE;
    RowBlock[] page = partition.pages()[first / EmbeddingPartition.PAGE];
    int i = from;
    do {
      FloatRows.copy(weights, ((int) rows[i] & mask) * dim, to, positions[i] * dim, dim);
      i++;
    } while (i < rows.length && isIn(page, (int) (rows[i] >>> shift) - first, slab));
    return i;
  }

  /** Returns whether a page has a slab at {@code place}, which may be on another page. */
  @SuppressWarnings("ReferenceEquality") // one slab in all its places
  private static boolean isIn(RowBlock[] page, int place, RowBlock slab) {
    return (place & -EmbeddingPartition.PAGE) == 0 && page[place] == slab;
  }

  private void copy(@Nullable RowBlock block, long number, long address, float[] to, int at) {
    int dim = layout.dim();
    Object weights = block == null ? generated : block.weights();
    int first = block == null ? 0 : block.at(number, perBlock) * dim;
    if (block == null) {
      initial.weights(address, generated, 0);
    }
    if (weights instanceof float[] floats) {
      FloatRows.copy(floats, first, to, at, dim);
    } else {
      HalfRows.widen(layout.dtype(), (short[]) weights, first, to, at, dim);
    }
  }

  private void prefetch(long[] addresses, int from, int to) {
    for (int i = from; i < to; i++) {
      long number = partition.rows().row(addresses[i]);
      RowBlock block = block(number);
      if (block != null) {
        prefetched.add(block, block.at(number, perBlock));
      }
    }
    prefetched.prefetchWeights();
  }

  private @Nullable RowBlock block(long number) {
    return number == RowIndex.ABSENT ? null : partition.block((int) (number >>> shift));
  }

  /**
   * Returns the weights of every block of numbered rows, generated for blocks that were not
   * written. Arrays are shared; callers must not modify them.
   */
  public Object[] blocks() {
    Object[] arrays = layout.storage().allocateBlocks(partition.blocks());
    for (int number = 0; number < arrays.length; number++) {
      RowBlock block = partition.block(number);
      int rows = partition.rowsIn(number, layout);
      arrays[number] = cut(block == null ? initial.block(number, rows) : block, number, rows);
    }
    return arrays;
  }

  /** Cuts a slab to the block, and the last block to its rows; it may be partly filled. */
  private Object cut(RowBlock block, int number, int rows) {
    int first = block.at((long) number * perBlock, perBlock) * layout.dim();
    int length = rows * layout.dim();
    return layout.storage().length(block.weights()) == length
        ? block.weights()
        : layout.storage().copyOfRange(block.weights(), first, first + length);
  }
}
