/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.desc;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.max_by;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.struct;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.expressions.Window;

/** Queries that replace each row of a table by its last update. */
final class RowUpdateQueries {
  private RowUpdateQueries() {}

  static List<QueryForm> forms() {
    return List.of(
        new QueryForm("max_by + left join", (t, u) -> joined(t, maxBy(u))),
        new QueryForm("max_by + broadcast join", (t, u) -> joined(t, broadcast(maxBy(u)))),
        new QueryForm("max of structs + left join", (t, u) -> joined(t, maxOfStructs(u))),
        new QueryForm("row_number + left join", (t, u) -> joined(t, rowNumber(u))),
        new QueryForm("row_number + broadcast join", (t, u) -> joined(t, broadcast(rowNumber(u)))),
        new QueryForm("max + semi join + left join", (t, u) -> joined(t, semiJoined(u))),
        new QueryForm(
            "max + semi join + broadcast join", (t, u) -> joined(t, broadcast(semiJoined(u)))),
        new QueryForm("union + max_by", RowUpdateQueries::union));
  }

  private static Dataset<Row> numbered(Dataset<Row> updates) {
    return updates.select(
        col("id"), col("value").as("latest"), monotonically_increasing_id().as("place"));
  }

  private static Dataset<Row> maxBy(Dataset<Row> updates) {
    return numbered(updates).groupBy("id").agg(max_by(col("latest"), col("place")).as("latest"));
  }

  private static Dataset<Row> maxOfStructs(Dataset<Row> updates) {
    return numbered(updates)
        .groupBy("id")
        .agg(max(struct("place", "latest")).getField("latest").as("latest"));
  }

  private static Dataset<Row> rowNumber(Dataset<Row> updates) {
    return numbered(updates)
        .withColumn("rank", row_number().over(Window.partitionBy("id").orderBy(desc("place"))))
        .where("rank = 1")
        .select("id", "latest");
  }

  /** Finds the place of the last update of each row first, which moves no values. */
  private static Dataset<Row> semiJoined(Dataset<Row> updates) {
    Dataset<Row> numbered = numbered(updates);
    Dataset<Row> places = numbered(updates).groupBy("id").agg(max("place").as("place"));
    return numbered
        .join(broadcast(places), new String[] {"id", "place"}, "left_semi")
        .select("id", "latest");
  }

  private static Dataset<Row> joined(Dataset<Row> table, Dataset<Row> latest) {
    return table
        .join(latest, new String[] {"id"}, "left")
        .select(col("id"), coalesce(col("latest"), col("value")).as("value"));
  }

  /** One aggregation of rows and updates, without a join. */
  private static Dataset<Row> union(Dataset<Row> table, Dataset<Row> updates) {
    return table
        .select(col("id"), col("value").as("latest"), lit(-1L).as("place"))
        .union(numbered(updates))
        .groupBy("id")
        .agg(max_by(col("latest"), col("place")).as("value"));
  }
}
