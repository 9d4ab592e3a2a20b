/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import org.apache.spark.sql.SparkSession;

/** A Spark of one JVM, with a task for each core. */
public final class LocalSession {
  private LocalSession() {}

  /** Starts it. */
  public static SparkSession open(String name) {
    SparkSession spark =
        SparkSession.builder()
            .appName(name)
            .master("local[*]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    return spark;
  }
}
