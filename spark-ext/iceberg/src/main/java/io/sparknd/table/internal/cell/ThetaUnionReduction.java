/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.table.reduction.CustomReduction;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.CompactSketch;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Union;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The union of theta sketches of the DataSketches library, as SQL's {@code theta_union}. */
final class ThetaUnionReduction implements CustomReduction {
  private static final long serialVersionUID = 1;

  /** The default size of Spark's sketches: 2^12 entries. */
  private static final int ENTRIES = 1 << 12;

  @Override
  public StructType state(DataType variable) {
    if (!variable.equals(DataTypes.BinaryType)) {
      throw new IllegalArgumentException("a sketch is binary");
    }
    return new StructType();
  }

  @Override
  public @Nullable Object[] fold(@Nullable Object[] state, Object update) {
    Union union = SetOperation.builder().setNominalEntries(ENTRIES).buildUnion();
    if (state[0] != null) {
      union.union(CompactSketch.wrap(Memory.wrap((byte[]) state[0])));
    }
    union.union(CompactSketch.wrap(Memory.wrap((byte[]) update)));
    return new Object[] {union.getResult().toByteArrayCompressed()};
  }
}
