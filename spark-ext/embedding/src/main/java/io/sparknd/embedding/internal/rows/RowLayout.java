/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layout of rows in blocks.
 *
 * @param dtype dtype of weights: float32, float16 or bfloat16
 * @param dim weights in a row
 * @param slots state that the optimizer stores for each row
 * @param stateDType dtype of slots of the table's precision: float32 or bfloat16
 * @param initializer initial weights of rows that were never written
 * @param rounding rounding of float16 and bfloat16 weights after a step
 * @param usage what is kept of the updates of each row
 * @param admission when a key gets a row
 */
public record RowLayout(
    DType dtype,
    int dim,
    List<OptimizerSlot> slots,
    DType stateDType,
    Initializer initializer,
    WeightRounding rounding,
    RowUsage usage,
    RowAdmission admission)
    implements Serializable {
  /**
   * Maximum bytes of weights in a block, unless one row is larger. Small because a step copies
   * every block that it writes to. Saved tables depend on it.
   */
  private static final int BLOCK_BYTES = 1 << 8;

  public RowLayout {
    switch (dtype) {
      case FLOAT32, FLOAT16, BFLOAT16 -> {}
      default -> throw EmbeddingErrors.embeddingDType(dtype);
    }
    slots = List.copyOf(slots);
  }

  /** Returns the number of rows in a block, a power of two. */
  public int perBlock() {
    return Integer.highestOneBit(Math.max(1, BLOCK_BYTES / rowBytes()));
  }

  /** Returns the number of blocks for {@code rows} rows of a partition. */
  int blocks(long rows) {
    return Math.toIntExact(-Math.floorDiv(-rows, (long) perBlock()));
  }

  /** Returns the bytes of the weights of a row. */
  public int rowBytes() {
    return dim * dtype.storage().bytes();
  }

  /** Returns the number of values that slot {@code i} has per row. */
  int width(int i) {
    return slots.get(i).width() == OptimizerSlot.Width.ROW ? 1 : dim;
  }

  /** Returns whether slot {@code i} is stored in bfloat16. */
  boolean isNarrow(int i) {
    return stateDType == DType.BFLOAT16
        && slots.get(i).precision() == OptimizerSlot.Precision.TABLE;
  }

  /** Returns whether any slot is stored in bfloat16. */
  boolean hasNarrowState() {
    for (int i = 0; i < slots.size(); i++) { // no stream: each block that is made asks
      if (isNarrow(i)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether blocks contain the usage of rows. */
  boolean hasUsage() {
    return usage == RowUsage.UPDATES;
  }

  /** Returns whether partitions contain candidates: keys that occurred and have no row yet. */
  boolean hasCandidates() {
    return admission instanceof RowAdmission.Counted;
  }

  /** Returns the shape of the filter that counts keys; null without {@code Filtered} admission. */
  @Nullable FilterShape filterShape() {
    return admission instanceof RowAdmission.Filtered filtered ? FilterShape.of(filtered) : null;
  }

  /** Returns the layout of candidates, of which only the usage counts. */
  RowLayout candidates() {
    return new RowLayout(
        DType.FLOAT32,
        1,
        List.of(),
        DType.FLOAT32,
        Initializer.zeros(),
        WeightRounding.NEAREST,
        RowUsage.UPDATES,
        RowAdmission.immediate());
  }

  /** Returns the bytes of an id and of all that is stored of its row. */
  public long bytesWithId() {
    long bytes = Long.BYTES + rowBytes() + (hasUsage() ? RowBlock.USAGE * (long) Long.BYTES : 0);
    for (int i = 0; i < slots.size(); i++) {
      bytes += (long) width(i) * (isNarrow(i) ? Short.BYTES : Float.BYTES);
    }
    return bytes;
  }

  /** Returns the storage of the weights. */
  public Storage storage() {
    return dtype.storage();
  }
}
