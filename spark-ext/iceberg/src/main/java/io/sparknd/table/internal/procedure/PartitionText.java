/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import java.util.stream.Collectors;
import org.apache.iceberg.Table;

/** Partition specs as SQL writes them. */
final class PartitionText {
  private PartitionText() {}

  /**
   * Returns the fields of a table's current spec, such as {@code bucket[16](user)}, without what
   * format version 1 keeps of fields that were dropped.
   */
  static String of(Table table) {
    return table.spec().fields().stream()
        .filter(field -> !field.transform().isVoid())
        .map(
            field ->
                field.transform() + "(" + table.schema().findColumnName(field.sourceId()) + ")")
        .collect(Collectors.joining(", "));
  }
}
