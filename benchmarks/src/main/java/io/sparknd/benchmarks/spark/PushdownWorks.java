/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Benchmarks P1 to P6: queries that want a part of the result of a table function, beside the same
 * query on a plain table in Parquet that has the result. Updates are a hundredth of the rows: those
 * of one slice can be anywhere among them, so all are read.
 */
final class PushdownWorks {
  private static final double GOAL = 1.2;
  private static final int SOME = 10;

  /** An id that lookups and updates have. */
  private static final int ONE = 100;

  private final SparkSession spark;
  private final QueryInputs inputs;
  private final Size size;

  PushdownWorks(SparkSession spark, QueryInputs inputs, Size size) {
    this.spark = spark;
    this.inputs = inputs;
    this.size = size;
  }

  List<SparkWork> works() {
    return List.of(
        updated("P1", "one slice of an update", this::oneId),
        updated("P2", "the number of slices of an update", all -> all.groupBy().count()),
        updated("P3", "an update joined with ten rows", all -> all.join(some(), "id")),
        gathered("P4", "ids of a gather, without slices", all -> all.select("position", "id")),
        gathered("P5", "the rows of a gather from one slice", this::oneId),
        // any ten rows: their lengths are the same
        gathered("P6", "ten rows of a gather", all -> all.limit(SOME).selectExpr("size(value)")));
  }

  private SparkWork updated(String id, String title, UnaryOperator<Dataset<Row>> query) {
    return work(
        id,
        title,
        "updated",
        "tensor_scatter_nd_update(TABLE(pushed_table), TABLE(pushed_updates), array(%d, %d))",
        query);
  }

  private SparkWork gathered(String id, String title, UnaryOperator<Dataset<Row>> query) {
    return work(
        id,
        title,
        "gathered",
        "gather_nd(TABLE(pushed_table), TABLE(pushed_lookups), array(%d, %d), index_columns => array('id'))",
        query);
  }

  private SparkWork work(
      String id, String title, String name, String call, UnaryOperator<Dataset<Row>> query) {
    return new SparkWork(id, title, GOAL, () -> peers(name, call, query));
  }

  private List<SparkPeer> peers(String name, String call, UnaryOperator<Dataset<Row>> query) {
    inputs.table().createOrReplaceTempView("pushed_table");
    inputs.fewUpdates().createOrReplaceTempView("pushed_updates");
    inputs.lookups().createOrReplaceTempView("pushed_lookups");
    String sql = "SELECT * FROM " + call.formatted(size.rows(), Size.WIDTH);
    Supplier<Dataset<Row>> result = () -> spark.sql(sql);
    inputs.stored(name, result); // before the rounds
    return List.of(
        Query.ours(() -> query.apply(result.get())),
        Query.peer("a plain table", () -> query.apply(inputs.stored(name, result))));
  }

  private Dataset<Row> oneId(Dataset<Row> all) {
    return all.where(all.col("id").equalTo(ONE));
  }

  /** Ten ids that are spread over the table. */
  private Dataset<Row> some() {
    return spark.range(SOME).select(functions.col("id").multiply(size.rows() / SOME).as("id"));
  }
}
