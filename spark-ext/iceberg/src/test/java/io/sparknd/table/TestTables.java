/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.LocalSpark;
import io.sparknd.table.options.TensorSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.ShutdownHookManager;
import scala.jdk.javaapi.CollectionConverters;

/** Creates tables in a temporary catalog of this JVM. */
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

  /** Returns the shared session, which cluster tests stop and later tests start again. */
  public static SparkSession spark() {
    SparkSession spark = LocalSpark.session();
    LocalCatalog.addTo(spark, "lake", DIRECTORY);
    return spark;
  }

  /**
   * Returns a session with Iceberg's SQL extensions, which the shared one need not have, and the
   * catalogs of that. It does not become the active one.
   */
  public static SparkSession withExtensions() {
    SparkSession spark = spark();
    SparkSession extended =
        SparkSession.builder()
            .withExtensions(new IcebergSparkSessionExtensions())
            .config("spark.sql.extensions", IcebergSparkSessionExtensions.class.getName())
            .create();
    SparkSession.setActiveSession(spark);
    SparkSession.setDefaultSession(spark);
    CollectionConverters.asJava(spark.conf().getAll())
        .forEach(
            (key, value) -> {
              if (key.startsWith("spark.sql.catalog.")) {
                extended.conf().set(key, value);
              }
            });
    return extended;
  }

  /** Returns an unused table name. */
  public static String name() {
    return "lake.tests.t" + TABLES.incrementAndGet();
  }

  public static TensorTable create(TensorSpec spec) {
    return TensorTable.create(spark(), name(), spec);
  }

  /** Returns the directory of the catalog and its tables. */
  public static Path place() {
    return DIRECTORY;
  }
}
