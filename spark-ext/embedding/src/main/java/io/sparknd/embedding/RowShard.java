/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.EmbeddingErrors;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Row;

/**
 * The rows of one partition of a Dataset, grouped into mini-batches.
 *
 * @param batches mini-batches of the partition
 * @param checksum checksum of the values of all rows, in their order
 */
record RowShard(List<List<Row>> batches, long checksum) implements Batches.Shard<List<Row>> {

  static RowShard of(Iterator<Row> rows, int size) {
    List<List<Row>> batches = new ArrayList<>();
    new FixedSizeGroups<>(rows, size).forEachRemaining(batches::add);
    return new RowShard(batches, RowChecksum.of(batches));
  }

  @Override
  public List<Row> batch(long step) {
    return Batches.element(batches, step);
  }

  /**
   * Returns this shard after checking its checksum.
   *
   * @throws io.sparknd.tensor.SparkNdException if the checksum differs
   */
  RowShard verified(int partition, long expected) {
    if (checksum != expected) {
      throw EmbeddingErrors.otherBatches(partition);
    }
    return this;
  }
}
