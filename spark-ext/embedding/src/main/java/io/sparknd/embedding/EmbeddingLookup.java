/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.embedding.internal.lookup.RowLookup;
import io.sparknd.embedding.internal.lookup.TensorLookupSource;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Looks up rows of a distributed tensor for lists of ids in columns (embedding bags). */
public final class EmbeddingLookup {
  private EmbeddingLookup() {}

  /**
   * Returns {@code rows}, in the same partitions and order, with the combined embedding of each
   * row's ids in one more column. If the rows that a task's lists name fit in 16 MiB (65536 rows at
   * most), the task fetches each of them once, however often it is named. Otherwise it fetches each
   * once per window of that size. A task holds one window and one list at a time. A copy of {@code
   * rows} stays persisted until the result is garbage-collected.
   *
   * <p>Results have the same bits at every number of partitions.
   *
   * @param weights {@code [rows, ...]} of float16, bfloat16, float32 or float64
   * @throws io.sparknd.tensor.SparkNdException if the tensor has another dtype; a column is
   *     missing, has another type or already exists; or a row has a null, a different number of
   *     weights than ids, or an id that {@code how} rejects. All rows are checked before the result
   *     is returned, and the first such row is named
   */
  public static Dataset<Row> of(
      DistributedTensor weights, Lookup how, Dataset<Row> rows, LookupColumns columns) {
    return RowLookup.of(new TensorLookupSource(weights.blocks()), how, rows, columns).run();
  }
}
