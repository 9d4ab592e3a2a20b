/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Queries that add updates to cells, of which all are in the table. */
final class CellAddQueries {
  private CellAddQueries() {}

  static List<QueryForm> forms() {
    return List.of(
        new QueryForm("sum + full outer join", (c, u) -> joined(c, totals(u), "full_outer")),
        new QueryForm("sum + left join", (c, u) -> joined(c, totals(u), "left")),
        new QueryForm(
            "sum + shuffled hash join",
            (c, u) -> joined(c, totals(u).hint("shuffle_hash"), "left")),
        new QueryForm("sum + broadcast join", (c, u) -> joined(c, broadcast(totals(u)), "left")),
        new QueryForm("union + sum", CellAddQueries::union));
  }

  private static Dataset<Row> totals(Dataset<Row> updates) {
    return updates.groupBy("id").agg(sum("value").as("total"));
  }

  private static Dataset<Row> joined(Dataset<Row> cells, Dataset<Row> totals, String how) {
    return cells
        .join(totals, new String[] {"id"}, how)
        .select(col("id"), orZero("value").plus(orZero("total")).cast("float").as("value"));
  }

  private static Column orZero(String column) {
    return coalesce(col(column), lit(0.0));
  }

  private static Dataset<Row> union(Dataset<Row> cells, Dataset<Row> updates) {
    return cells.union(updates).groupBy("id").agg(sum("value").cast("float").as("value"));
  }
}
