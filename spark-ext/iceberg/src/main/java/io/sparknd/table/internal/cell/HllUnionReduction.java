/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.table.reduction.CustomReduction;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The union of HyperLogLog sketches of the DataSketches library, as SQL's {@code hll_union}. */
final class HllUnionReduction implements CustomReduction {
  private static final long serialVersionUID = 1;

  @Override
  public StructType state(DataType variable) {
    if (!variable.equals(DataTypes.BinaryType)) {
      throw new IllegalArgumentException("a sketch is binary");
    }
    return new StructType();
  }

  @Override
  public @Nullable Object[] fold(@Nullable Object[] state, Object update) {
    HllSketch more = HllSketch.heapify((byte[]) update);
    HllSketch stored = state[0] == null ? null : HllSketch.heapify((byte[]) state[0]);
    int size = stored == null ? more.getLgConfigK() : stored.getLgConfigK();
    if (size != more.getLgConfigK()) {
      throw new IllegalArgumentException(
          "a sketch of lgConfigK "
              + more.getLgConfigK()
              + " would make the stored one of lgConfigK "
              + size
              + " less exact: make all with the same");
    }
    Union union = new Union(size);
    if (stored != null) {
      union.update(stored);
    }
    union.update(more);
    return new Object[] {union.getResult(TgtHllType.HLL_8).toUpdatableByteArray()};
  }
}
