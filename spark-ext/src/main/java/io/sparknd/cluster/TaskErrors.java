/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.tensor.SparkNdException;

/** Errors of tasks as the driver sees them. */
final class TaskErrors {
  private TaskErrors() {}

  /** The error of SparkND's own beneath {@code failure}, or {@code failure} itself. */
  static RuntimeException unwrapped(RuntimeException failure) {
    if (failure instanceof SparkNdException) {
      return failure;
    }
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkNdException own) {
        own.addSuppressed(failure);
        return own;
      }
    }
    return failure;
  }
}
