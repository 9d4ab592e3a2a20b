/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.cli.support.SchedulerWarnings;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/** The Spark that {@code spark-submit} names; else one of one JVM, with a task for each core. */
public final class ExampleSession {
  private static final String LOCAL = "local[*]";

  private ExampleSession() {}

  /** Starts it. */
  public static SparkSession open(String name) {
    return open(name, Map.of());
  }

  /**
   * Starts it.
   *
   * @param settings that the example cannot do without
   */
  public static SparkSession open(String name, Map<String, String> settings) {
    SparkConf conf = defaults(new SparkConf());
    settings.forEach(conf::set);
    SparkSession spark = SparkSession.builder().config(conf).appName(name).getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    SchedulerWarnings.show(spark);
    return spark;
  }

  /** What {@code spark-submit} was given, and the rest. */
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
