/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.columnar.SliceRow;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.tensor.Shape;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;

/** The slices of a set as rows, each valid only until the next is read. */
final class FewSliceRows implements Iterator<InternalRow> {
  private final TensorPartition partition;
  private final BlockLayout layout;
  private final SliceSet slices;
  private final Shape outer;
  private final SliceRow row;
  private final int units;
  private int block;
  private int unit;

  /**
   * @param layout layout of the slices in the order of their places; no slice crosses a block
   * @param outer shape of the whole tensor in slices
   * @param units units of a slice
   */
  FewSliceRows(
      TensorPartition partition,
      BlockLayout layout,
      SliceSet slices,
      Shape outer,
      SliceRow row,
      int units) {
    this.partition = partition;
    this.layout = layout;
    this.slices = slices;
    this.outer = outer;
    this.row = row;
    this.units = units;
  }

  @Override
  public boolean hasNext() {
    return block < partition.blocks().length;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long firstUnit = layout.firstElement(partition.index(), block) * layout.dtype().units();
    int place = (int) ((firstUnit + unit) / units);
    InternalRow next =
        row.of(outer.coordinates(slices.number(place)), partition.blocks()[block], unit);
    unit += units;
    if (unit >= layout.unitsIn(partition.index(), block)) {
      block++;
      unit = 0;
    }
    return next;
  }
}
