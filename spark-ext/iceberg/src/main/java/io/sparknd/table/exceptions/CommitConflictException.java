/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.exceptions;

import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;

/**
 * A commit lost to other writers; no rows were written. The same call may succeed later. Condition
 * {@code SPARKND_COMMIT_CONFLICT}.
 */
public final class CommitConflictException extends SparkNdRuntimeException {
  private static final long serialVersionUID = 1;

  /** Gives {@code error} this type. */
  public CommitConflictException(SparkNdException error) {
    super(error);
  }
}
