/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Copies the rows of one input partition to the blocks of a tensor partition. */
final class RangeFill {
  private final BlockLayout layout;
  private final Storage storage;
  private final int input;
  private final TensorPartition untouched;
  private final Object[] blocks;
  private boolean dropped;

  private RangeFill(BlockLayout layout, int input, int partition, @Nullable Object value) {
    this.layout = layout;
    this.storage = layout.dtype().storage();
    this.input = input;
    this.untouched = TensorPartition.filled(layout, partition, value);
    this.blocks = untouched.blocks().clone();
  }

  /**
   * Returns the tensor partition of an input partition.
   *
   * @param sliceElements elements of a row of the table
   * @param value value of elements that no row has; null for zero, false or ""
   * @throws io.sparknd.tensor.SparkNdException if the rows are not those from which the layout was
   *     derived
   */
  static TensorPartition partition(
      TableLayout table,
      int input,
      Iterator<NumberedRows> chunks,
      long sliceElements,
      @Nullable Object value) {
    RangeFill fill = new RangeFill(table.layout(), input, table.partitions()[input], value);
    AscendingRuns runs = new AscendingRuns();
    while (chunks.hasNext()) {
      NumberedRows chunk = chunks.next();
      runs.add(chunk.numbers(), chunk.count());
      fill.add(chunk, sliceElements);
    }
    // dropped rows are errors that the driver reports
    if (!fill.dropped && !Arrays.equals(runs.bounds(), table.runs().get(input))) {
      throw ClusterErrors.tableChanged(input);
    }
    return fill.untouched.with(fill.blocks);
  }

  private void add(NumberedRows chunk, long sliceElements) {
    long[] offsets = chunk.numbers();
    int units = (int) sliceElements * layout.dtype().units();
    int slice = 0;
    while (slice < chunk.count()) {
      int end = slice + 1;
      while (end < chunk.count() && offsets[end] == offsets[end - 1] + 1) {
        end++;
      }
      if (offsets[slice] == SliceOffsets.DROPPED) {
        dropped = true;
        end = slice + 1;
      } else {
        long elements = (end - slice) * sliceElements;
        copy(chunk.payload(), slice * units, offsets[slice] * sliceElements, elements);
      }
      slice = end;
    }
  }

  /** Copies {@code elements} consecutive elements that begin at {@code unit} of {@code payload}. */
  private void copy(Object payload, int unit, long element, long elements) {
    long end = element + elements;
    while (element < end) {
      if (layout.owner(element) != untouched.index()) {
        throw ClusterErrors.tableChanged(input);
      }
      long place = layout.place(element);
      int block = (int) (place / layout.blockElements());
      int at = (int) (place % layout.blockElements());
      int room = layout.elementsIn(untouched.index(), block) - at;
      int count = (int) Math.min(room, end - element);
      int units = layout.dtype().units();
      write(block, at * units, payload, unit, count * units);
      unit += count * units;
      element += count;
    }
  }

  private void write(int block, int at, Object payload, int unit, int units) {
    int length = layout.unitsIn(untouched.index(), block);
    if (units == length) {
      blocks[block] = storage.copyOfRange(payload, unit, unit + units);
      return;
    }
    if (blocks[block] == untouched.blocks()[block]) {
      blocks[block] = storage.copyOfRange(untouched.blocks()[block], 0, length);
    }
    System.arraycopy(payload, unit, blocks[block], at, units);
  }
}
