/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import io.sparknd.cli.Example;
import io.sparknd.cli.support.CliErrors;
import io.sparknd.examples.shop.ShopEvents;
import io.sparknd.examples.shop.ShopWorkflow;
import io.sparknd.examples.shop.UserFeatures;
import io.sparknd.examples.support.ExampleSession;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorCatalog;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/**
 * Maintains user features by string id, of mixed types, from nightly batches of events: late and
 * repeated batches, the rollback of a bad batch, a stream, a training set with point-in-time
 * features, lookups in Redis, and table maintenance. The table is in catalog {@code lake} of
 * Spark's settings, or in a local catalog in the example's folder.
 */
public final class FeatureStore implements Example {
  private static final int MIN_DAYS = 4;
  private static final String CATALOG = "spark.sql.catalog.lake";
  private static final Map<String, String> UTC = Map.of("spark.sql.session.timeZone", "UTC");

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "feature-store",
      description = "Folder for events and table; must not exist. Default: feature-store.")
  private Path directory = Path.of("feature-store");

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Number of users on the last day. Default: 1000000.")
  private long users = 1_000_000;

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "40000",
      description = "Events per day, at most 86400000. Default: 40000.")
  private long events = 40_000;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "11",
      description = "Days of events, at least 4; the last one is streamed. Default: 11.")
  private int days = 11;

  @Option(
      names = "--redis",
      paramLabel = "ADDRESS",
      defaultValue = "redis://localhost:6379",
      description =
          "Redis server for lookups; rows are removed in the end. Without a server, this step is"
              + " left out. Default: redis://localhost:6379.")
  private String redis = "redis://localhost:6379";

  public static void main(String[] args) throws Exception {
    new FeatureStore().run();
  }

  @Override
  public String name() {
    return "feature-store";
  }

  @Override
  public String summary() {
    return "maintain user features from batches of events; point-in-time training set";
  }

  @Override
  public void run() throws Exception {
    requireRange("--users", users, 1, Long.MAX_VALUE);
    requireRange("--events", events, 1, Duration.ofDays(1).toMillis());
    requireRange("--days", days, MIN_DAYS, Integer.MAX_VALUE);
    claimDirectory();
    boolean hasCatalog;
    try (SparkSession spark = ExampleSession.open(name(), UTC)) {
      hasCatalog = spark.conf().getOption(CATALOG).isDefined();
      if (!hasCatalog) {
        addCatalog(spark);
      }
      run(spark);
    } catch (Exception | Error e) {
      // this run created the folder, so it owns all its contents
      FileUtils.deleteQuietly(directory.toFile());
      throw e;
    }
    sayHowToQuery(hasCatalog ? "sql" : "bin/sparknd sql --lake " + lake());
  }

  private static void requireRange(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw CliErrors.optionOutOfRange(option, value, least, most);
    }
  }

  /** Creates the folder; of two concurrent runs, one fails. */
  private void claimDirectory() {
    Path parent = directory.toAbsolutePath().getParent();
    try {
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.createDirectory(directory);
    } catch (IOException e) {
      throw Files.exists(directory)
          ? CliErrors.exampleDirectory(directory.toString())
          : TensorErrors.unwritableFile(directory.toString(), e);
    }
  }

  /** Adds a local catalog in which streams are scattered. */
  private void addCatalog(SparkSession spark) {
    LocalCatalog.addTo(spark, "lake", lake());
    spark.conf().set(CATALOG, TensorCatalog.class.getName());
  }

  private void run(SparkSession spark) throws Exception {
    ShopEvents shop = new ShopEvents(directory.resolve("events"), users, events, days);
    ShopWorkflow workflow = new ShopWorkflow(spark, shop, directory.resolve("checkpoint"), redis);
    try {
      if (!workflow.run()) {
        throw new IllegalStateException("the features differ from those computed by plain SQL");
      }
    } catch (Exception | Error e) {
      workflow.dropTable();
      throw e;
    }
  }

  private Path lake() {
    return directory.resolve("lake");
  }

  private static void sayHowToQuery(String command) {
    System.out.printf(
        """

        Query the table:
          %1$s -e "SELECT user, views, spent, city FROM %2$s ORDER BY spent DESC LIMIT 5"
          %1$s -e "SELECT count(*) FROM %2$s VERSION AS OF '%3$s'"
        """,
        command, UserFeatures.NAME, ShopWorkflow.TAG);
  }
}
