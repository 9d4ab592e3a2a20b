/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.embedding.lookup.RowLookup;
import io.sparknd.embedding.lookup.TensorRows;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Rows of a distributed tensor for lists of ids: embedding bags, where the lists are columns. */
public final class EmbeddingLookup {
  private EmbeddingLookup() {}

  /**
   * The rows of {@code rows}, in their partitions and order, each with what its ids come to in one
   * more column. A task fetches a row of the tensor once, however often its lists name it, as long
   * as the rows that they name fit in 16 MiB (65536 rows at most); else once for every such window
   * of ids. Beside one window a task holds one list. A copy of {@code rows} is kept until the
   * result is garbage.
   *
   * <p>Results have the same bits at every number of partitions.
   *
   * @param weights {@code [rows, ...]} of float16, bfloat16, float32 or float64
   * @throws io.sparknd.tensor.SparkNdException if the tensor is of another dtype, a column is
   *     missing, of another type or already there, or a row has a null, weights of another number
   *     than ids, or an id that {@code how} refuses; all rows are looked at before the result is
   *     returned, and the first such row is named
   */
  public static Dataset<Row> of(
      DistributedTensor weights, Lookup how, Dataset<Row> rows, LookupColumns columns) {
    return RowLookup.of(new TensorRows(weights.blocks()), how, rows, columns).run();
  }
}
