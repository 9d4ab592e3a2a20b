/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A commit does not hold its updates: 480 MiB of them, into two blocks of 4 MiB, by a process with
 * 512 MiB of heap, of which other data take some.
 */
@Tag("slow")
class CommitHeapTest {
  private static final int UPDATES = 30_000_000;
  private static final int SIZE = 1_000_000;

  @TempDir Path folder;

  @Test
  void updatesAreFoldedAsTheyArrive() throws Exception {
    Path lake = Files.createDirectory(folder.resolve("lake"));
    File log = folder.resolve("log").toFile();
    Process writer =
        JavaProcess.of(CommitHeapTest.class, lake.toString())
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    assertThat(writer.waitFor()).as(Files.readString(log.toPath())).isZero();
  }

  /**
   * Commits, and checks the sum.
   *
   * @param args directory of the catalog
   */
  public static void main(String[] args) {
    String name = "lake.tests.counts";
    SparkSession spark = JavaProcess.session(args[0], name);
    spark.sql("CREATE NAMESPACE lake.tests");
    TensorTable table =
        TensorTable.create(spark, name, TensorSpec.of(DType.FLOAT64, Shape.of(SIZE)));
    Dataset<Row> updates =
        spark
            .range(0, UPDATES, 1, 8)
            .selectExpr("pmod(id * 7919, " + SIZE + ") AS i0", "1.0D AS value");
    table.scatter(Scatter.add(), updates, TensorColumns.of("value", "i0"));
    assertThat(table.toDataset().selectExpr("sum(value)").head().getDouble(0)).isEqualTo(UPDATES);
    System.exit(0);
  }
}
