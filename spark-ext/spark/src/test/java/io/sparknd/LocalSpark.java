/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd;

import org.apache.spark.sql.SparkSession;

/** The Spark session that all tests of a JVM share. */
public final class LocalSpark {
  private LocalSpark() {}

  /** Returns the session and starts it if there is none. Cluster tests stop it. */
  public static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("sparknd-tests")
        .config("spark.ui.enabled", false)
        .config("spark.default.parallelism", 2)
        .config("spark.sql.shuffle.partitions", 2)
        .getOrCreate();
  }
}
