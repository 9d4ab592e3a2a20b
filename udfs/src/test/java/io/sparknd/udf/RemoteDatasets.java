/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Scatter;
import io.sparknd.sql.GatherNd;
import io.sparknd.sql.ScatterNd;
import io.sparknd.sql.TensorScatterNd;
import io.sparknd.tensor.Shape;
import java.time.LocalDate;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Calls SparkND on the Datasets of a Spark Connect client. */
final class RemoteDatasets {
  private RemoteDatasets() {}

  /**
   * Prints the rows of some calls.
   *
   * @param arguments the server's address
   */
  public static void main(String[] arguments) {
    SparkSession spark = SparkSession.builder().remote(arguments[0]).getOrCreate();
    Dataset<Row> emb =
        spark.sql("SELECT id, array(float(id), float(id * 10)) AS vec FROM range(3)");
    Dataset<Row> clicks =
        spark.sql("SELECT * FROM VALUES (2, \"it's\"), (9, 'out') AS c(id, label)");
    GatherNd gather = GatherNd.of(emb, clicks).withShape(Shape.of(3, 2)).withIndexColumns("id");
    print("gather", gather.withBadIndices(BadIndices.fill(-1.5)).toDataset().orderBy("id"));
    Dataset<Row> seen =
        spark.sql(
            "SELECT * FROM VALUES (0, DATE'2026-05-01'), (2, DATE'2026-04-30'), (0,"
                + " DATE'2026-05-03') AS v(i, day)");
    Dataset<Row> latest = ScatterNd.of(seen, Shape.of(3)).reducedBy(Scatter.max()).toDataset();
    print("scatter", latest.orderBy("i"));
    Dataset<Row> updates =
        spark.sql(
            "SELECT * FROM VALUES (2, 1, array(7F, 7F)), (1, 1, array(5F, 5F)) AS u(at, id, vec)");
    print(
        "tensor",
        TensorScatterNd.of(Scatter.update(), emb, updates)
            .withShape(Shape.of(3, 2))
            .withIndexColumns("id")
            .withValueColumn("vec")
            .orderedBy("at")
            .toDataset()
            .orderBy("id"));
    print(
        "filled",
        GatherNd.of(latest, spark.sql("SELECT 7 AS i"))
            .withShape(Shape.of(3))
            .withBadIndices(BadIndices.fill(LocalDate.of(2020, 2, 29)))
            .toDataset()
            .select("day"));
    Dataset<Row> amounts = spark.sql("SELECT * FROM VALUES (0, 4D), (0, 6D) AS u(i, v)");
    Scatter fresh = Scatter.mean().withSelf(IncludeSelf.EXCLUDED);
    print("fresh", ScatterNd.of(amounts, Shape.of(1)).reducedBy(fresh).toDataset());
    fail("mean", () -> TensorScatterNd.of(Scatter.mean(), emb, updates).toDataset());
    fail("bad", () -> gather.toDataset().collectAsList());
    fail("found", () -> gather.withFoundColumn("is_known").toDataset().columns());
    SparkSession other = spark.newSession();
    Dataset<Row> others = other.sql("SELECT 1 AS id, array(1F, 2F) AS vec");
    long views = views(spark);
    fail("gather of two sessions", () -> GatherNd.of(emb, others).toDataset());
    fail(
        "scatter of two sessions",
        () -> TensorScatterNd.of(Scatter.add(), others, emb).toDataset());
    System.out.println("left " + (views(spark) - views) + " and " + views(other));
    // not closed: close() makes the server load pipeline classes, which its class path lacks
    System.exit(0);
  }

  private static long views(SparkSession session) {
    return session.sql("SHOW VIEWS").where("isTemporary").count();
  }

  private static void print(String name, Dataset<Row> rows) {
    rows.toJSON().collectAsList().forEach(row -> System.out.println(name + " " + row));
  }

  private static void fail(String name, Supplier<?> call) {
    try {
      System.out.println(name + " gave " + call.get());
    } catch (Exception e) { // Spark's, which Java calls checked, too
      System.out.println(name + ": " + e.getMessage());
    }
  }
}
