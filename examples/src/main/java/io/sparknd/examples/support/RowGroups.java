/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.embedding.Batches;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;

/** Makes mini-batches of primitive arrays from the rows of a query. */
public final class RowGroups {
  private RowGroups() {}

  /**
   * Returns mini-batches of consecutive rows. Each partition is a shard; the mini-batches stay in
   * memory or on disk.
   *
   * @param rows in an order that is the same whenever a partition is computed
   * @param size rows per shard and mini-batch; the last of a partition may have fewer
   * @param batch converts rows to a shard's part of a mini-batch
   */
  public static <B> Batches<B> batches(Dataset<Row> rows, int size, Function<List<Row>, B> batch) {
    return Batches.of(
        rows.javaRDD()
            .mapPartitions(partition -> groups(partition, size, batch).iterator())
            .persist(StorageLevel.MEMORY_AND_DISK()));
  }

  private static <B> List<B> groups(Iterator<Row> rows, int size, Function<List<Row>, B> batch)
      throws Exception {
    List<B> batches = new ArrayList<>();
    while (rows.hasNext()) {
      List<Row> group = new ArrayList<>(size);
      while (group.size() < size && rows.hasNext()) {
        group.add(rows.next());
      }
      batches.add(batch.call(group));
    }
    return batches;
  }
}
