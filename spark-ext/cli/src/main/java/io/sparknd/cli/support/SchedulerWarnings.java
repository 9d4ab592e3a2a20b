/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.sql.SparkSession;

/** Warnings of Spark's scheduler, which stay visible when the rest of Spark's log is not. */
public final class SchedulerWarnings {
  private static final String SCHEDULER = "org.apache.spark.scheduler.TaskSchedulerImpl";

  private SchedulerWarnings() {}

  /**
   * Shows them on a cluster: a job for which no cores are free waits, and its user has to be told.
   */
  public static void show(SparkSession spark) {
    if (!spark.sparkContext().isLocal()) {
      Configurator.setLevel(SCHEDULER, Level.WARN);
    }
  }
}
