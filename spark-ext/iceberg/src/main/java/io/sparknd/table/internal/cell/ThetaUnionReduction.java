/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.table.reduction.CustomReduction;
import java.util.ArrayList;
import java.util.List;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.CompactSketch;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Union;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The union of theta sketches of the DataSketches library, as SQL's {@code theta_union}. Sketches
 * do not say for how many entries they were made; the union has as many as the larger sketch shows.
 */
final class ThetaUnionReduction implements CustomReduction {
  private static final long serialVersionUID = 1;

  /** The default size of Spark's sketches: 2^12 entries. */
  private static final int LEAST = 1 << 12;

  /** The largest size of a sketch. */
  private static final int MOST = 1 << 26;

  @Override
  public StructType state(DataType variable) {
    if (!variable.equals(DataTypes.BinaryType)) {
      throw new IllegalArgumentException("a sketch is binary");
    }
    return new StructType();
  }

  @Override
  public @Nullable Object[] fold(@Nullable Object[] state, Object update) {
    List<CompactSketch> sketches = new ArrayList<>();
    if (state[0] != null) {
      sketches.add(CompactSketch.wrap(Memory.wrap((byte[]) state[0])));
    }
    sketches.add(CompactSketch.wrap(Memory.wrap((byte[]) update)));
    int entries = LEAST;
    for (CompactSketch sketch : sketches) {
      entries = Math.max(entries, Math.min(MOST, size(sketch)));
    }
    Union union = SetOperation.builder().setNominalEntries(entries).buildUnion();
    sketches.forEach(union::union);
    return new Object[] {union.getResult().toByteArrayCompressed()};
  }

  /**
   * Returns the size that a sketch shows, a power of two. One that estimates has at least as many
   * entries as its size, and less than twice as many; one that counts may have fewer.
   */
  private static int size(CompactSketch sketch) {
    int entries = sketch.getRetainedEntries(true);
    int power = Integer.highestOneBit(entries);
    return sketch.isEstimationMode() || power == entries ? power : 2 * power;
  }
}
