/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import io.sparknd.cli.Example;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.examples.support.ExampleSession;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Adds gradients from a query to a table of embeddings and gathers rows for another query, without
 * moving either through the driver. Then saves the table and loads it with another partition count.
 */
public final class EmbeddingUpdates implements Example {
  private static final long ITEMS = 10_000;

  public static void main(String[] args) throws IOException {
    new EmbeddingUpdates().run();
  }

  @Override
  public String name() {
    return "embedding-updates";
  }

  @Override
  public String summary() {
    return "add gradients from a query to a table, read rows for another, save and load";
  }

  @Override
  public void run() throws IOException {
    try (SparkSession spark = ExampleSession.open(name())) {
      run(spark, Files.createTempDirectory("sparknd").resolve("items"));
    }
  }

  /**
   * Runs the example and prints its results.
   *
   * @param directory where the table is saved; must not exist
   * @return the gathered features
   */
  static Dataset<Row> run(SparkSession spark, Path directory) {
    DistributedTensor items =
        DistributedTensor.zeros(spark, DType.FLOAT32, Shape.of(ITEMS, 4), Partitioning.of(8));

    // popular items get many gradients; `step` defines their order
    Dataset<Row> gradients =
        spark.sql(
            "SELECT id AS step, cast(pow(rand(7), 4) * 10000 AS int) AS item,"
                + " array(1f, float(id % 10), float(rand(8)), -0.5f) AS gradient"
                + " FROM range(200000)");
    DistributedTensor trained =
        items.scatter(
            Scatter.add(), gradients, TensorColumns.of("gradient", "item").orderedBy("step"));
    System.out.println(items + " + " + gradients.count() + " gradients = " + trained);

    Dataset<Row> clicks =
        spark.sql("SELECT id AS click, int(id * id) AS item, id % 2 = 0 AS bought FROM range(6)");
    Dataset<Row> features = trained.gather(Gather.strict(), clicks, List.of("item"));
    features.show(false);

    trained.save(directory.toString());
    DistributedTensor loaded =
        DistributedTensor.load(spark, directory.toString(), Partitioning.of(3));
    boolean same = loaded.collect().equals(trained.collect());
    System.out.println("saved, loaded as " + loaded + ": " + (same ? "same bits" : "DIFFERENT"));
    return features;
  }
}
