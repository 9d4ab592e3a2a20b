/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.LocalSpark;
import io.sparknd.table.options.TensorSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.ShutdownHookManager;

/** Tables in a catalog of the tests, which goes with the JVM. */
public final class TestTables {
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static final Path DIRECTORY = directory();

  private TestTables() {}

  private static Path directory() {
    try {
      Path directory = Files.createTempDirectory("sparknd-lake");
      ShutdownHookManager.registerShutdownDeleteDir(directory.toFile());
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The shared session, which tests of clusters stop and others start again. */
  public static SparkSession spark() {
    SparkSession spark = LocalSpark.session();
    LocalCatalog.addTo(spark, "lake", DIRECTORY);
    return spark;
  }

  /** A name that no table has. */
  public static String name() {
    return "lake.tests.t" + TABLES.incrementAndGet();
  }

  public static TensorTable create(TensorSpec spec) {
    return TensorTable.create(spark(), name(), spec);
  }

  /** Where the catalog and its tables are. */
  public static Path place() {
    return DIRECTORY;
  }
}
