/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.exceptions;

import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;

/**
 * The catalog did not say whether a commit succeeded. A call without a batch id must not be
 * repeated before the table's history has been checked; with a batch id it may, since a batch
 * commits once. Condition {@code SPARKND_COMMIT_UNKNOWN}.
 */
public final class CommitUnknownException extends SparkNdRuntimeException {
  private static final long serialVersionUID = 1;

  /** Gives {@code error} this type. */
  public CommitUnknownException(SparkNdException error) {
    super(error);
  }
}
