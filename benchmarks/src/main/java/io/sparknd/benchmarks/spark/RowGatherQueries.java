/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.explode;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Queries that look up rows of a table. */
final class RowGatherQueries {
  private static final String HASH = "shuffle_hash";

  private RowGatherQueries() {}

  /** Queries whose joins shuffle the table and the lookups. */
  static List<QueryForm> shuffled() {
    return List.of(
        new QueryForm("shuffled join", (t, l) -> joined(t.hint("merge"), l)),
        new QueryForm("shuffled hash join of lookups", (t, l) -> joined(t, l.hint(HASH))),
        new QueryForm("shuffled hash join of the table", (t, l) -> joined(t.hint(HASH), l)),
        new QueryForm(
            "collect_list + shuffled hash join + explode",
            (t, l) -> exploded(t, grouped(l).hint(HASH))));
  }

  /** Queries that broadcast the table or the lookups. */
  static List<QueryForm> broadcasts() {
    return List.of(
        new QueryForm("broadcast join", (t, l) -> joined(t, broadcast(l))),
        new QueryForm("broadcast join of the table", (t, l) -> joined(broadcast(t), l)),
        new QueryForm(
            "collect_list + broadcast join + explode",
            (t, l) -> exploded(t, broadcast(grouped(l)))),
        new QueryForm(
            "broadcast semi join + shuffled hash join",
            (t, l) -> joined(named(t, l).hint(HASH), l)));
  }

  private static Dataset<Row> joined(Dataset<Row> table, Dataset<Row> lookups) {
    return lookups.join(table, "id").select("position", "id", "value");
  }

  /** The rows that at least one lookup names. */
  private static Dataset<Row> named(Dataset<Row> table, Dataset<Row> lookups) {
    return table.join(broadcast(lookups.select("id").distinct()), new String[] {"id"}, "left_semi");
  }

  /** A row for each id, with all its positions. */
  private static Dataset<Row> grouped(Dataset<Row> lookups) {
    return lookups.groupBy("id").agg(collect_list("position").as("positions"));
  }

  private static Dataset<Row> exploded(Dataset<Row> table, Dataset<Row> grouped) {
    return table
        .join(grouped, "id")
        .select(explode(col("positions")).as("position"), col("id"), col("value"));
  }
}
