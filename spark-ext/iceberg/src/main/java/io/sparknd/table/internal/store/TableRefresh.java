/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.SparkNdException;
import java.util.function.Function;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NoSuchTableException;

/**
 * Reloads the current state of tables, which others may have dropped or renamed. Iceberg reports
 * that at the first reload only; after later ones the table has no metadata.
 */
public final class TableRefresh {
  private TableRefresh() {}

  /**
   * Reloads a table's current state from the catalog.
   *
   * @param name the table's name, for messages
   * @throws io.sparknd.tensor.SparkNdException if the catalog fails, or has no such table
   */
  public static void run(String name, Table table) {
    orFailed(name, table, e -> CatalogFailures.unchanged("reading", name, e));
  }

  /**
   * Like {@link #run}, for a table that the operation has changed or may have changed.
   *
   * @param tried the operation, such as "resizing"
   */
  public static void afterCommit(String tried, String name, Table table) {
    orFailed(name, table, e -> CatalogFailures.unknown(tried, name, e));
  }

  /**
   * Like {@link #run}, with another error if the catalog fails.
   *
   * @param failed returns the error
   */
  public static void orFailed(
      String name, Table table, Function<RuntimeException, SparkNdException> failed) {
    try {
      orMissing(table);
    } catch (NoSuchTableException e) {
      throw TableErrors.noSuchTable(name);
    } catch (RuntimeException e) {
      throw failed.apply(e);
    }
  }

  /**
   * Like {@link #run}, with the exceptions of Iceberg.
   *
   * @throws NoSuchTableException if the table was dropped or renamed
   */
  public static void orMissing(Table table) {
    table.refresh();
    if (isGone(table)) {
      throw new NoSuchTableException("Table does not exist: %s", table);
    }
  }

  /**
   * Checks that the last reload found the table.
   *
   * @param name the table's name, for messages
   * @throws io.sparknd.tensor.SparkNdException if it did not
   */
  public static void requireFound(String name, Table table) {
    if (isGone(table)) {
      throw TableErrors.noSuchTable(name);
    }
  }

  private static boolean isGone(Table table) {
    return table instanceof BaseTable base && base.operations().current() == null;
  }
}
