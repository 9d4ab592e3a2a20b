/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import java.util.Map;

/**
 * The number of the format of SparkND's tables, a property. A version that does not know what the
 * properties of a later one mean would change values in silence, so it does not open such a table.
 */
public final class FormatNumber {
  public static final String PROPERTY = "sparknd.format";

  /** The number of new tables; tables of earlier builds have none. */
  public static final int CURRENT = 1;

  private FormatNumber() {}

  /**
   * Checks that a table has no later format.
   *
   * @param table the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if it has one, or the property is no positive number
   */
  public static void requireKnown(String table, Map<String, String> properties) {
    String text = properties.get(PROPERTY);
    if (text == null) {
      return;
    }
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw TableErrors.badTableProperty(PROPERTY, text, "a positive number");
    }
    if (Integer.parseInt(text) > CURRENT) {
      throw TableErrors.laterFormat(table, PROPERTY, text, CURRENT);
    }
  }
}
