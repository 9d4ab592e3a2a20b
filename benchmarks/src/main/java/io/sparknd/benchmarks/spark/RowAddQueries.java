/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.posexplode;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.udaf;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.ml.stat.Summarizer;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Row;

/** Queries that add all updates of a row to it, element by element. */
final class RowAddQueries {
  private static final String LISTED =
      "aggregate(collect_list(value), array_repeat(float(0), "
          + Size.WIDTH
          + "), (s, v) -> zip_with(s, v, (a, b) -> a + b))";
  private static final String ZIPPED =
      "if(total IS NULL, value, zip_with(value, total, (a, b) -> a + b))";
  private static final String ORDERED =
      "transform(sort_array(collect_list(struct(pos, element))), e -> e.element)";

  private RowAddQueries() {}

  static List<QueryForm> forms() {
    return List.of(
        new QueryForm("64 sums + join", RowAddQueries::elements),
        new QueryForm("array of 64 sums + join", (t, u) -> zipped(t, sums(u, "total"))),
        new QueryForm("array of 64 sums + broadcast join", RowAddQueries::sumsJoined),
        new QueryForm("Aggregator + join", (t, u) -> zipped(t, aggregated(u, "total"))),
        new QueryForm(
            "Aggregator + broadcast join", (t, u) -> zipped(t, broadcast(aggregated(u, "total")))),
        new QueryForm("Summarizer.sum + join", (t, u) -> zipped(t, summarized(u))),
        new QueryForm("collect_list + aggregate + join", (t, u) -> zipped(t, listed(u))),
        new QueryForm("posexplode + sum + join", (t, u) -> zipped(t, exploded(u))),
        new QueryForm("union + array of 64 sums", (t, u) -> sums(t.union(u), "value")),
        new QueryForm("union + Aggregator", (t, u) -> aggregated(t.union(u), "value")));
  }

  /** A broadcast join with arrays of sums. */
  static Dataset<Row> sumsJoined(Dataset<Row> table, Dataset<Row> updates) {
    return zipped(table, broadcast(sums(updates, "total")));
  }

  /** One sum per element; the sums are added to the elements after the join. */
  private static Dataset<Row> elements(Dataset<Row> table, Dataset<Row> updates) {
    Column[] sums = each(i -> sum(col("value").getItem(i)).as("s" + i));
    Dataset<Row> totals =
        updates.groupBy("id").agg(sums[0], Arrays.copyOfRange(sums, 1, sums.length));
    Column[] added =
        each(i -> col("value").getItem(i).plus(coalesce(col("s" + i), lit(0.0))).cast("float"));
    return table
        .join(totals, new String[] {"id"}, "left")
        .select(col("id"), array(added).as("value"));
  }

  private static Dataset<Row> sums(Dataset<Row> rows, String name) {
    Column[] sums = each(i -> sum(col("value").getItem(i)).cast("float"));
    return rows.groupBy("id").agg(array(sums).as(name));
  }

  private static Dataset<Row> aggregated(Dataset<Row> rows, String name) {
    Encoder<float[]> encoder = rows.sparkSession().implicits().newFloatArrayEncoder();
    return rows.groupBy("id").agg(udaf(new RowSum(encoder), encoder).apply(col("value")).as(name));
  }

  private static Dataset<Row> summarized(Dataset<Row> updates) {
    Column vector = org.apache.spark.ml.functions.array_to_vector(col("value"));
    return updates
        .groupBy("id")
        .agg(Summarizer.sum(vector).as("vector"))
        .select(
            col("id"),
            org.apache.spark.ml.functions.vector_to_array(col("vector"), "float32").as("total"));
  }

  private static Dataset<Row> listed(Dataset<Row> updates) {
    return updates.groupBy("id").agg(expr(LISTED).as("total"));
  }

  private static Dataset<Row> exploded(Dataset<Row> updates) {
    return updates
        .select(col("id"), posexplode(col("value")))
        .groupBy("id", "pos")
        .agg(sum("col").cast("float").as("element"))
        .groupBy("id")
        .agg(expr(ORDERED).as("total"));
  }

  private static Dataset<Row> zipped(Dataset<Row> table, Dataset<Row> totals) {
    return table
        .join(totals, new String[] {"id"}, "left")
        .select(col("id"), expr(ZIPPED).as("value"));
  }

  private static Column[] each(IntFunction<Column> element) {
    return IntStream.range(0, Size.WIDTH).mapToObj(element).toArray(Column[]::new);
  }
}
