/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import io.sparknd.tensor.SparkNdException;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;

/** Converts errors of tasks for the driver. */
public final class TaskErrors {
  private TaskErrors() {}

  /** Spark's condition for a lost block of an RDD that was cut off its lineage and unpersisted. */
  private static final String LOST_BLOCK = "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND";

  private static boolean isOfLostBlock(Throwable cause) {
    return cause instanceof SparkThrowable error && LOST_BLOCK.equals(error.getCondition());
  }

  /**
   * Returns whether Spark aborted a job because the results of its tasks exceed {@code
   * spark.driver.maxResultSize}. That failure has no condition of its own.
   */
  public static boolean isOfLargeResults(Exception failure) {
    return failure instanceof SparkException
        && String.valueOf(failure.getMessage()).contains("spark.driver.maxResultSize");
  }

  /**
   * Returns SparkND's own error among the causes of {@code failure}, or an error that explains a
   * lost block. If there is neither, throws {@code failure} itself; Spark does not declare it if it
   * is a {@code SparkException}.
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
        return SparkErrors.missingBlocks(failure);
      }
    }
    return SneakyThrow.thrown(failure);
  }
}
