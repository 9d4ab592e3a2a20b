/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.CommandResult;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;

/** Casts objects of Spark's API to its own classes, which run inside the driver. */
public final class ClassicSpark {
  private ClassicSpark() {}

  /**
   * Returns the Dataset as Spark's own class.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is a Dataset of Spark Connect
   */
  public static Dataset<Row> of(org.apache.spark.sql.Dataset<Row> dataset) {
    if (dataset instanceof Dataset<Row> classic) {
      return classic;
    }
    throw SparkErrors.notClassicSpark(dataset.getClass().getName());
  }

  /**
   * Returns the session as Spark's own class.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is a session of Spark Connect
   */
  public static SparkSession of(org.apache.spark.sql.SparkSession spark) {
    if (spark instanceof SparkSession classic) {
      return classic;
    }
    throw SparkErrors.notClassicSpark(spark.getClass().getName());
  }

  /**
   * Returns Hadoop's settings with those of the session, as Spark reads files.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is a session of Spark Connect
   */
  public static Configuration hadoop(org.apache.spark.sql.SparkSession spark) {
    return of(spark).sessionState().newHadoopConf();
  }

  /**
   * Whether the rows are the result of a command such as {@code EXPLAIN}, not of a query.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is a Dataset of Spark Connect
   */
  public static boolean isCommandResult(org.apache.spark.sql.Dataset<Row> dataset) {
    return of(dataset).queryExecution().commandExecuted() instanceof CommandResult;
  }

  /**
   * Runs {@code action} with {@code spark} as the active session of this thread.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is a session of Spark Connect
   */
  public static <T> T withActive(org.apache.spark.sql.SparkSession spark, Supplier<T> action) {
    return of(spark).withActive(action::get);
  }
}
