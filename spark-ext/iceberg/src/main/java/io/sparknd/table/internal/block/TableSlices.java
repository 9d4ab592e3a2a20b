/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.gather.StoredTensorGather;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.cluster.internal.partition.SliceLookup;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFormat;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.tensor.Shape;
import java.util.Map;
import org.apache.spark.broadcast.Broadcast;

/**
 * The slices of a table at a snapshot. Tasks read only the blocks that their rows name.
 *
 * @param partitions number of tasks, to which blocks are assigned round-robin
 */
public record TableSlices(
    StoredFormat format,
    Broadcast<StoredTensor> tensor,
    Broadcast<Map<Long, BlockFiles>> files,
    int partitions)
    implements StoredTensorGather.Source {

  @Override
  public Pieces pieces(Shape slice) {
    long row = format.rows().slice().elements();
    CyclicBlockPartitioner rows = new CyclicBlockPartitioner(partitions, format.perBlock());
    int units = Math.toIntExact(slice.elements() * format.rows().dtype().units());
    return slice.elements() <= row
        ? new Pieces(rows.inParts(row / slice.elements()), 1, units)
        : new Pieces(
            new CyclicBlockPartitioner(partitions, rows.perBlock() / (slice.elements() / row)),
            1,
            units);
  }

  @Override
  public SliceLookup open(int partition, Pieces pieces) {
    return new TablePartitionSlices(tensor.value(), files.value(), partition, pieces);
  }
}
