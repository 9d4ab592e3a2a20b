/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.SparkNdException;
import org.apache.spark.SparkThrowable;

/** Errors of tasks as the driver sees them. */
public final class TaskErrors {
  private TaskErrors() {}

  /** What Spark throws where an RDD was cut off its lineage and unpersisted. */
  private static final String LOST_BLOCK = "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND";

  private static boolean isOfLostBlock(Throwable cause) {
    return cause instanceof SparkThrowable error && LOST_BLOCK.equals(error.getCondition());
  }

  /**
   * The error of SparkND's own beneath {@code failure}; else throws {@code failure} itself, which
   * Spark does not declare where it is a {@code SparkException}.
   */
  public static RuntimeException unwrapped(Exception failure) {
    if (failure instanceof SparkNdException own) {
      return own;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkNdException own) {
        own.addSuppressed(failure);
        return own;
      }
      if (isOfLostBlock(cause)) {
        return SparkErrors.versionGivenBack(failure);
      }
    }
    return SneakyThrow.thrown(failure);
  }
}
