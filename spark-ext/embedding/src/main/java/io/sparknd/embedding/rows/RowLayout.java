/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.embedding.EmbeddingErrors;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.List;

/**
 * How rows lie in blocks.
 *
 * @param dtype of weights: float32, float16 or bfloat16
 * @param dim weights in a row
 * @param slots that the optimizer keeps beside each row, of float32
 * @param initializer of rows that were never written
 * @param rounding of float16 and bfloat16 weights after a step
 */
public record RowLayout(
    DType dtype,
    int dim,
    List<OptimizerSlot> slots,
    Initializer initializer,
    WeightRounding rounding)
    implements Serializable {
  /**
   * Of the weights of a block. Small: a step copies every block of which it writes a row. Saved
   * tables depend on it.
   */
  private static final int BLOCK_BYTES = 1 << 8;

  public RowLayout {
    switch (dtype) {
      case FLOAT32, FLOAT16, BFLOAT16 -> {}
      default -> throw EmbeddingErrors.embeddingDType(dtype);
    }
    slots = List.copyOf(slots);
  }

  /** Rows in a block, a power of two. */
  public int perBlock() {
    return Integer.highestOneBit(Math.max(1, BLOCK_BYTES / rowBytes()));
  }

  /** Blocks that {@code rows} rows of a partition take. */
  int blocks(long rows) {
    return Math.toIntExact(-Math.floorDiv(-rows, (long) perBlock()));
  }

  /** Bytes of the weights of a row. */
  public int rowBytes() {
    return dim * dtype.storage().bytes();
  }

  /** What carries the weights. */
  public Storage storage() {
    return dtype.storage();
  }
}
