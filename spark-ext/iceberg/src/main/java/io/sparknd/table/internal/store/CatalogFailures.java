/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.SparkNdException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/**
 * Converts exceptions of catalogs and file systems to errors that name the attempted operation and
 * the remedy.
 */
public final class CatalogFailures {
  private CatalogFailures() {}

  /**
   * Converts the failure of a call that changes nothing if it fails.
   *
   * @param tried the operation, such as "opening"
   */
  public static SparkNdException unchanged(String tried, String table, RuntimeException failure) {
    if (failure instanceof SparkNdException known) {
      return known;
    }
    return failure instanceof CommitStateUnknownException
        ? TableErrors.catalogUnknown(tried, table, failure)
        : TableErrors.catalogFailed(tried, table, failure);
  }

  /** Converts the failure of a call that may have taken partial effect and can be repeated. */
  public static SparkNdException unknown(String tried, String table, RuntimeException failure) {
    return failure instanceof SparkNdException known
        ? known
        : TableErrors.catalogUnknown(tried, table, failure);
  }

  /** Returns whether a SQLite catalog rejected a statement, which then changed nothing. */
  public static boolean isRejectedBySqlite(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains("[SQLITE_BUSY")
          || message.contains("[SQLITE_FULL")
          || message.contains("[SQLITE_READONLY")) {
        return true;
      }
    }
    return false;
  }
}
