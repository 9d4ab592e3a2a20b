/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.util.Map;
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
   * @param settings further ones
   */
  public static SparkSession open(String name, Map<String, String> settings) {
    String master = System.getProperty("spark.master", LOCAL);
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName(name)
            .master(master)
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4");
    if (master.equals(LOCAL)) {
      builder.config("spark.driver.host", "127.0.0.1");
    }
    settings.forEach(builder::config);
    SparkSession spark = builder.getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    return spark;
  }
}
