/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.table.internal.TableErrors;
import java.util.List;

/** Checks the columns of rows that a call names for the key of a table. */
public final class KeyColumnNames {
  private KeyColumnNames() {}

  /**
   * Checks that columns are as many as those of the key, and that none has the name of another
   * column of the key than it is given for, which would give fill values without an error.
   *
   * @param table the table's name, for messages
   * @param key names of the key's columns
   * @param given columns that are the key, in its order
   * @param session compares names
   * @throws io.sparknd.tensor.SparkNdException if they are not
   */
  public static void require(
      String table, List<String> key, List<String> given, ColumnNameMatcher session) {
    if (given.size() != key.size()) {
      throw TableErrors.indexColumnsOfRow(table, key, given);
    }
    if (session.areExchanged(key, given)) {
      throw SqlErrors.keyColumnOrder(table, key, given);
    }
  }
}
