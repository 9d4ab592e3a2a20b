/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.SparkNdException;

/** Errors of tasks as the driver sees them. */
public final class TaskErrors {
  private TaskErrors() {}

  /**
   * The error of SparkND's own beneath {@code failure}; else throws {@code failure} itself, which
   * Spark does not declare where it is a {@code SparkException}.
   */
  public static RuntimeException unwrapped(Exception failure) {
    if (failure instanceof SparkNdException own) {
      return own;
    }
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkNdException own) {
        own.addSuppressed(failure);
        return own;
      }
    }
    return Undeclared.thrown(failure);
  }
}
