/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.cli.support.SchedulerWarnings;
import io.sparknd.cli.support.StartupSpinner;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/**
 * The session of an example: with the master of {@code spark-submit}, otherwise local with one task
 * per core.
 */
public final class ExampleSession {
  private static final String LOCAL = "local[*]";

  private ExampleSession() {}

  /** Starts the session. */
  public static SparkSession open(String name) {
    return open(name, Map.of());
  }

  /**
   * Starts the session.
   *
   * @param settings required settings of the example
   */
  public static SparkSession open(String name, Map<String, String> settings) {
    SparkConf conf = defaults(new SparkConf());
    settings.forEach(conf::set);
    try (StartupSpinner spinner = StartupSpinner.show(conf.get("spark.master"))) {
      SparkSession spark = SparkSession.builder().config(conf).appName(name).getOrCreate();
      spark.sparkContext().setLogLevel("ERROR");
      SchedulerWarnings.show(spark);
      return spark;
    }
  }

  /** Adds defaults to the settings of {@code spark-submit}. */
  private static SparkConf defaults(SparkConf submitted) {
    submitted
        .setIfMissing("spark.master", LOCAL)
        .setIfMissing("spark.ui.enabled", "false")
        .setIfMissing("spark.sql.shuffle.partitions", "4");
    if (submitted.get("spark.master").equals(LOCAL)) {
      submitted.setIfMissing("spark.driver.host", "127.0.0.1");
    }
    return submitted;
  }
}
