/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import io.sparknd.table.TableErrors;
import io.sparknd.tensor.SparkNdException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/** What catalogs and file systems throw, as errors that say what was tried and what to do. */
public final class CatalogFailures {
  private CatalogFailures() {}

  /**
   * Of a call that changes nothing if it fails.
   *
   * @param tried such as "opening"
   */
  public static SparkNdException unchanged(String tried, String table, RuntimeException failure) {
    if (failure instanceof SparkNdException known) {
      return known;
    }
    return failure instanceof CommitStateUnknownException
        ? TableErrors.catalogSilent(tried, table, failure)
        : TableErrors.catalogFailed(tried, table, failure);
  }

  /** Of a call of which parts may hold, and which may be made again. */
  public static SparkNdException unknown(String tried, String table, RuntimeException failure) {
    return failure instanceof SparkNdException known
        ? known
        : TableErrors.catalogSilent(tried, table, failure);
  }

  /** Whether a SQLite catalog has refused a statement, which then has changed nothing. */
  public static boolean isRefusedBySqlite(Throwable failure) {
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
