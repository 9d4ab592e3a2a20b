/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;

/** Names of a table's columns in files that have no field ids. */
public final class FieldNames {
  private FieldNames() {}

  /**
   * Returns the mapping that the table's properties have, else the columns' own names. Without one,
   * Iceberg takes the columns of such files by their order.
   */
  public static NameMapping of(Table table) {
    String given = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    return given == null ? MappingUtil.create(table.schema()) : NameMappingParser.fromJson(given);
  }
}
