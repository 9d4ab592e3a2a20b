/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.HashSet;
import java.util.Set;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;

/** Names of partition fields, none of which may be that of a column. */
public final class PartitionNames {
  private PartitionNames() {}

  /** Returns a name that no column has: {@code wanted}, or with underscores after it. */
  public static String free(Schema schema, String wanted) {
    return free(columns(schema), wanted);
  }

  /** Returns a name that no column and no partition field, of earlier specs too, has. */
  public static String free(Table table, String wanted) {
    Set<String> taken = columns(table.schema());
    taken.addAll(of(table));
    return free(taken, wanted);
  }

  /** Returns the names of the partition fields of all specs of a table. */
  public static Set<String> of(Table table) {
    Set<String> names = new HashSet<>();
    for (PartitionSpec spec : table.specs().values()) {
      spec.fields().stream().map(PartitionField::name).forEach(names::add);
    }
    return names;
  }

  private static Set<String> columns(Schema schema) {
    Set<String> names = new HashSet<>();
    schema.columns().stream().map(Types.NestedField::name).forEach(names::add);
    return names;
  }

  private static String free(Set<String> taken, String wanted) {
    String name = wanted;
    while (taken.contains(name)) {
      name += "_";
    }
    return name;
  }
}
