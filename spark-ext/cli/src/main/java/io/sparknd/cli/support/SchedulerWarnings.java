/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.sql.SparkSession;

/** Keeps the warnings of Spark's scheduler visible when the rest of Spark's log is off. */
public final class SchedulerWarnings {
  private static final String SCHEDULER = "org.apache.spark.scheduler.TaskSchedulerImpl";

  private SchedulerWarnings() {}

  /** Enables the warnings on a cluster, so that the user sees when a job waits for free cores. */
  public static void show(SparkSession spark) {
    if (!spark.sparkContext().isLocal()) {
      Configurator.setLevel(SCHEDULER, Level.WARN);
    }
  }
}
