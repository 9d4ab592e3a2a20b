/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max_by;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.sum;

import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The same benchmarks as usual Spark queries. */
final class TableJobs {
  private TableJobs() {}

  /** Replaces each row by its last update. */
  static Dataset<Row> update(Dataset<Row> table, Dataset<Row> updates) {
    Dataset<Row> last =
        updates
            .withColumn("place", monotonically_increasing_id())
            .groupBy("id")
            .agg(max_by(col("value"), col("place")).as("latest"));
    return table
        .join(last, table.col("id").equalTo(last.col("id")), "left")
        .select(table.col("id"), coalesce(col("latest"), col("value")).as("value"));
  }

  /** Adds all updates of a row to it, with one sum per element. */
  static Dataset<Row> add(Dataset<Row> table, Dataset<Row> updates) {
    Column[] sums =
        IntStream.range(0, Size.WIDTH)
            .mapToObj(i -> sum(col("value").getItem(i)).as("s" + i))
            .toArray(Column[]::new);
    Dataset<Row> totals =
        updates.groupBy("id").agg(sums[0], java.util.Arrays.copyOfRange(sums, 1, sums.length));
    Column[] added =
        IntStream.range(0, Size.WIDTH)
            .mapToObj(
                i ->
                    table
                        .col("value")
                        .getItem(i)
                        .plus(coalesce(totals.col("s" + i), lit(0.0)))
                        .cast("float"))
            .toArray(Column[]::new);
    return table
        .join(totals, table.col("id").equalTo(totals.col("id")), "left")
        .select(table.col("id"), array(added).as("value"));
  }

  /** Looks up rows by a shuffled join. */
  static Dataset<Row> gatherShuffled(Dataset<Row> table, Dataset<Row> lookups) {
    return gather(table.hint("merge"), lookups);
  }

  /** Looks up rows by a broadcast join. */
  static Dataset<Row> gatherBroadcast(Dataset<Row> table, Dataset<Row> lookups) {
    return gather(table, broadcast(lookups));
  }

  private static Dataset<Row> gather(Dataset<Row> table, Dataset<Row> lookups) {
    return lookups
        .join(table, lookups.col("id").equalTo(table.col("id")))
        .select(lookups.col("position"), lookups.col("id"), table.col("value"));
  }

  /** Adds sums of updates to the cells by a full outer join. */
  static Dataset<Row> addCells(Dataset<Row> cells, Dataset<Row> updates) {
    Dataset<Row> totals = updates.groupBy("id").agg(sum("value").as("total"));
    return cells
        .join(totals, cells.col("id").equalTo(totals.col("id")), "full_outer")
        .select(
            coalesce(cells.col("id"), totals.col("id")).as("id"),
            coalesce(cells.col("value"), lit(0.0))
                .plus(coalesce(col("total"), lit(0.0)))
                .cast("float")
                .as("value"));
  }
}
