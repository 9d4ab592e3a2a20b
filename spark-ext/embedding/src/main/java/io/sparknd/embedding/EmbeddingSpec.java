/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.OptimizerSlot.Precision;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import java.util.List;

/**
 * The definition of an embedding table.
 *
 * @param rows number of rows; ids are less than this. Rows that were never written take no memory.
 *     0 for a {@link #keyed} table
 * @param dim weights in a row
 * @param optimizer optimizer of all rows
 * @param dtype dtype of weights: float32, float16 or bfloat16. Arithmetic is float32; weights are
 *     rounded once a step
 * @param stateDType dtype of optimizer state: float32 by default, or bfloat16, see {@link
 *     #withStateDType}
 * @param initializer initial weights of rows; zeros by default
 * @param partitions partitions of the table; 0 for Spark's default parallelism
 * @param rounding rounding of float16 and bfloat16 weights after a step; stochastic by default
 * @param badGradients handling of gradients that are NaN or infinite; an error by default
 * @param usage what is kept of the updates of each row; nothing by default
 * @param admission when a key gets a row; with its first gradient by default
 */
public record EmbeddingSpec(
    long rows,
    int dim,
    Optimizer optimizer,
    DType dtype,
    DType stateDType,
    Initializer initializer,
    int partitions,
    WeightRounding rounding,
    BadGradients badGradients,
    RowUsage usage,
    RowAdmission admission) {
  public EmbeddingSpec {
    if (rows < 0 || dim < 1 || partitions < 0) {
      throw EmbeddingErrors.badEmbedding(rows, dim, partitions);
    }
    checkState(stateDType, optimizer.slots());
    checkInitial(dtype, (float) initializer.magnitude());
    if (rows > 0 && !(admission instanceof RowAdmission.Immediate)) {
      throw EmbeddingErrors.admissionOfNumbers(rows);
    }
  }

  /** Rows without updates would read as infinity. */
  private static void checkInitial(DType dtype, float magnitude) {
    if (Float.isInfinite(HalfFloats.rounded(dtype, magnitude))) {
      throw EmbeddingErrors.initialWeights(dtype, magnitude);
    }
  }

  private static void checkState(DType stateDType, List<OptimizerSlot> slots) {
    if (stateDType != DType.FLOAT32 && stateDType != DType.BFLOAT16) {
      throw EmbeddingErrors.stateDType(stateDType);
    }
    boolean narrows = slots.stream().anyMatch(slot -> slot.precision() == Precision.TABLE);
    if (stateDType != DType.FLOAT32 && !narrows) {
      throw EmbeddingErrors.noNarrowState(
          stateDType, slots.stream().map(OptimizerSlot::name).toList());
    }
  }

  /**
   * Returns the definition of a float32 table with numbered rows.
   *
   * @param rows number of rows, at least 1
   */
  public static EmbeddingSpec of(long rows, int dim, Optimizer optimizer) {
    if (rows < 1) {
      throw EmbeddingErrors.badEmbedding(rows, dim, 0);
    }
    return float32(rows, dim, optimizer);
  }

  /**
   * Returns the definition of a float32 table whose ids are keys: any 64 bits, such as those that
   * {@link EmbeddingKeys} makes from strings. The table starts without rows. A key gets a row with
   * its first gradient, or later with {@link #withAdmission}, starting from the initializer's
   * weights for the key. A missing key reads as the initializer's value and does not get a row.
   */
  public static EmbeddingSpec keyed(int dim, Optimizer optimizer) {
    return float32(0, dim, optimizer);
  }

  private static EmbeddingSpec float32(long rows, int dim, Optimizer optimizer) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        DType.FLOAT32,
        DType.FLOAT32,
        Initializer.zeros(),
        0,
        WeightRounding.STOCHASTIC,
        BadGradients.error(),
        RowUsage.NOTHING,
        RowAdmission.immediate());
  }

  /** Returns whether ids are keys. */
  public boolean isKeyed() {
    return rows == 0;
  }

  public EmbeddingSpec withDType(DType other) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        other,
        stateDType,
        initializer,
        partitions,
        rounding,
        badGradients,
        usage,
        admission);
  }

  /**
   * Sets the dtype of optimizer state: float32, or bfloat16 in half the memory. State of bfloat16
   * is widened for each update and then rounded up or down at random, to the nearer value with the
   * higher probability: to nearest, the small increments of sums and means would be lost. The
   * random bits depend only on the id of the row, the step, the slot and the position, so state has
   * the same bits at every number of partitions.
   *
   * <p>Slots of {@link OptimizerSlot#row} stay float32, and so do those of {@link
   * OptimizerSlot#inFloat32}, as FTRL's.
   *
   * @throws io.sparknd.tensor.SparkNdException if the optimizer has no slot that bfloat16 narrows
   */
  public EmbeddingSpec withStateDType(DType other) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        dtype,
        other,
        initializer,
        partitions,
        rounding,
        badGradients,
        usage,
        admission);
  }

  /**
   * Sets the optimizer.
   *
   * @throws io.sparknd.tensor.SparkNdException if state is bfloat16 and the optimizer has no slot
   *     that it narrows
   */
  EmbeddingSpec withOptimizer(Optimizer other) {
    return new EmbeddingSpec(
        rows,
        dim,
        other,
        dtype,
        stateDType,
        initializer,
        partitions,
        rounding,
        badGradients,
        usage,
        admission);
  }

  public EmbeddingSpec withInitializer(Initializer other) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        dtype,
        stateDType,
        other,
        partitions,
        rounding,
        badGradients,
        usage,
        admission);
  }

  public EmbeddingSpec withPartitions(int count) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        dtype,
        stateDType,
        initializer,
        count,
        rounding,
        badGradients,
        usage,
        admission);
  }

  /** Sets the rounding of float16 and bfloat16 weights. */
  public EmbeddingSpec withRounding(WeightRounding other) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        dtype,
        stateDType,
        initializer,
        partitions,
        other,
        badGradients,
        usage,
        admission);
  }

  /** Sets the handling of gradients that are NaN or infinite. */
  public EmbeddingSpec withBadGradients(BadGradients other) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        dtype,
        stateDType,
        initializer,
        partitions,
        rounding,
        other,
        usage,
        admission);
  }

  /**
   * Keeps the step of each row's last update and the number of its updates, 16 bytes a row. {@link
   * EmbeddingTable#evict} needs them for evictions by age and frequency, and, if ids are numbers,
   * for every eviction. It also tells {@link EmbeddingTable#toDataset}, {@code nearest} and {@code
   * changes} which rows of a block were updated.
   */
  public EmbeddingSpec withRowUsage() {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        dtype,
        stateDType,
        initializer,
        partitions,
        rounding,
        badGradients,
        RowUsage.UPDATES,
        admission);
  }

  /**
   * Sets when a key gets a row.
   *
   * @throws io.sparknd.tensor.SparkNdException if ids are numbers and {@code other} is not
   *     immediate
   */
  public EmbeddingSpec withAdmission(RowAdmission other) {
    return new EmbeddingSpec(
        rows,
        dim,
        optimizer,
        dtype,
        stateDType,
        initializer,
        partitions,
        rounding,
        badGradients,
        usage,
        other);
  }
}
