/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.examples.support.ExampleSession;
import io.sparknd.table.LocalCatalog;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The example in a catalog of its own, and in an Iceberg catalog of the session. */
@Tag("slow")
class FeatureStoreCatalogTest {
  private static final int EVENTS = 400;

  @TempDir private Path directory;

  private void run() throws Exception {
    FeatureStore example = new FeatureStore();
    new CommandLine(example)
        .parseArgs(
            "--dir=" + directory.resolve("shop"), "--days=4", "--events=100", "--users=1000");
    example.run(); // fails if the features are not those of plain SQL
  }

  /** Returns the number of events that the table holds, and of micro-batches by name. */
  private String held(Path lake) throws Exception {
    try (SparkSession spark = ExampleSession.open("reader")) {
      LocalCatalog.addTo(spark, "lake", lake);
      long counted =
          spark.sql("SELECT sum(views + purchases) FROM lake.shop.users").first().getLong(0);
      long profiles =
          spark
              .read()
              .parquet(directory.resolve("shop").resolve("events").toString())
              .where("kind = 'profile'")
              .count();
      String properties = spark.sql("SHOW TBLPROPERTIES lake.shop.users").collectAsList() + "";
      return (counted + profiles)
          + " events, "
          + (properties.split("stream ").length - 1)
          + " epochs, "
          + (properties.split("2026-03-04/").length - 1)
          + " named";
    }
  }

  @Test
  void theCatalogOfItsOwnScattersTheStream() throws Exception {
    run();
    assertThat(held(directory.resolve("shop").resolve("lake")))
        .isEqualTo(EVENTS + " events, 3 epochs, 0 named");
  }

  /** Settings as system properties, as {@code spark-submit} gives them. */
  @Test
  void aStreamIsNeverAppendedToAPlainIcebergCatalog() throws Exception {
    Path lake = directory.resolve("lake");
    Map<String, String> catalog = LocalCatalog.settings("lake", lake);
    catalog.forEach(System::setProperty);
    try {
      run();
      assertThat(held(lake)).isEqualTo(EVENTS + " events, 0 epochs, 3 named");
    } finally {
      catalog.keySet().forEach(System::clearProperty);
    }
    assertThat(directory.resolve("shop").resolve("lake")).doesNotExist();
  }
}
