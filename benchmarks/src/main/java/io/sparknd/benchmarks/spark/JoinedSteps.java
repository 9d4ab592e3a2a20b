/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Steps as queries: a broadcast join of a cached Dataset with the sums of updates.
 *
 * @param step the updates
 */
record JoinedSteps(SparkSession spark, StepRows step) implements StepForm<Dataset<Row>> {
  @Override
  public String name() {
    return "cache() + sums + broadcast join";
  }

  @Override
  public Dataset<Row> first() {
    return kept(spark.range(step.rows()).selectExpr("id", ones()));
  }

  @Override
  public Dataset<Row> next(Dataset<Row> table) {
    List<Long> ids = Arrays.stream(step.ids()).boxed().toList();
    Dataset<Row> updates =
        spark.createDataset(ids, Encoders.LONG()).toDF("id").selectExpr("id", ones());
    return kept(RowAddQueries.sumsJoined(table, updates));
  }

  private static String ones() {
    return "array_repeat(float(1), " + Size.WIDTH + ") AS value";
  }

  private static Dataset<Row> kept(Dataset<Row> rows) {
    Dataset<Row> cached = rows.cache();
    cached.count();
    return cached;
  }

  @Override
  public double sum(Dataset<Row> table) {
    return table
        .select(functions.expr("sum(aggregate(value, 0D, (a, v) -> a + v))"))
        .first()
        .getDouble(0);
  }

  @Override
  public void free(Dataset<Row> table) {
    table.unpersist(true);
  }
}
