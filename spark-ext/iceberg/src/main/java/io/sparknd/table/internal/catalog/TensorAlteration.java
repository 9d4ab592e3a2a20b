/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableProperties;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Table;
import org.apache.spark.sql.connector.catalog.TableChange;

/**
 * An {@code ALTER TABLE} of a tensor table, beside a change of its size. All of it is left to
 * Iceberg, unless it would change what the tensor is.
 */
record TensorAlteration(StoredTensor stored) {
  private static final Set<String> TYPES = Set.of(TableProperties.DTYPE, TableProperties.SHAPE);

  /**
   * Returns whether changes set the properties of a tensor, which others changed, back to what its
   * rows are recorded to be.
   */
  static boolean restores(String name, Table table, TableChange... changes) {
    Map<String, String> properties = new HashMap<>(table.properties());
    for (TableChange change : changes) {
      if (!(change instanceof TableChange.SetProperty set) || !TYPES.contains(set.property())) {
        return false;
      }
      properties.put(set.property(), set.value());
    }
    return TableProperties.restores(name, table.properties(), properties);
  }

  /**
   * Checks the changes.
   *
   * @throws io.sparknd.tensor.SparkNdException if one changes columns or properties of the tensor
   */
  void check(TableChange... changes) {
    Set<String> columns = new HashSet<>(stored.format().rows().indexColumns());
    columns.addAll(stored.format().rows().values().names());
    for (TableChange change : changes) {
      ChangedProperty.of(change).ifPresent(this::requireFree);
      if (change instanceof TableChange.ColumnChange column
          && !(change instanceof TableChange.AddColumn)
          && !(change instanceof TableChange.UpdateColumnComment)
          && columns.contains(column.fieldNames()[0])) {
        throw CatalogErrors.tensorColumn(stored.name(), column.fieldNames()[0]);
      }
    }
  }

  private void requireFree(String property) {
    if (TableProperties.isOfTensor(property)) {
      throw CatalogErrors.fixedProperty(stored.name(), property);
    }
  }
}
