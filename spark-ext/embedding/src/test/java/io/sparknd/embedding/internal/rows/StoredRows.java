/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Reads all that a partition stores of its updated rows. */
public record StoredRows(RowLayout layout, RowDirectory directory) implements Serializable {

  /** Returns the bits of weights and state as float32, then the usage, of each row by its id. */
  public Map<Long, List<Long>> of(EmbeddingPartition partition) {
    Map<Long, List<Long>> rows = new TreeMap<>();
    UpdatedRows.visit(
        partition,
        layout,
        directory,
        (id, block, at) -> {
          if (rows.put(id, row(block, at)) != null) {
            throw new AssertionError("id " + id + " twice");
          }
        });
    return rows;
  }

  /**
   * Returns the usage of each candidate by its key; of a filter its counters, see {@link
   * NaiveFilter#stored()}.
   */
  public Map<Long, List<Long>> candidates(EmbeddingPartition partition) {
    Map<Long, List<Long>> keys = new TreeMap<>();
    if (partition.candidates() != null) {
      new StoredRows(layout.candidates(), directory)
          .of(partition.candidates())
          .forEach((key, bits) -> keys.put(key, List.copyOf(bits.subList(1, 3))));
    }
    if (partition.filter() != null) {
      keys.putAll(NaiveFilter.stored(partition.filter()));
    }
    return keys;
  }

  /** Returns the number of candidates, including those that were admitted and not yet removed. */
  public long candidateSlots(EmbeddingPartition partition) {
    return Objects.requireNonNull(partition.candidates()).rows().size();
  }

  /** Returns the number of blocks that are in slabs. */
  public long blocksInSlabs(EmbeddingPartition partition) {
    return IntStream.range(0, partition.blocks())
        .mapToObj(partition::block)
        .filter(block -> block != null && block.isSlab())
        .count();
  }

  /** Returns the number of ids that are kept for the next delta. */
  public long evictedIds(EmbeddingPartition partition) {
    return partition.evicted().ids().length;
  }

  private List<Long> row(RowBlock block, int at) {
    List<Long> bits = new ArrayList<>();
    addBits(bits, block.weights(), at * layout.dim(), layout.dim(), layout.dtype());
    for (int i = 0; i < block.state().length; i++) {
      int width = layout.width(i);
      addBits(bits, block.state()[i], at * width, width, DType.BFLOAT16);
    }
    if (block.usage() != null) {
      bits.addAll(List.of(block.lastStep(at), block.updates(at)));
    }
    return bits;
  }

  private static void addBits(List<Long> bits, Object array, int from, int count, DType half) {
    for (int i = from; i < from + count; i++) {
      float value =
          array instanceof float[] floats ? floats[i] : widened(((short[]) array)[i], half);
      bits.add((long) Float.floatToRawIntBits(value));
    }
  }

  private static float widened(short bits, DType half) {
    return half == DType.FLOAT16 ? HalfFloats.fromFloat16(bits) : HalfFloats.fromBfloat16(bits);
  }
}
