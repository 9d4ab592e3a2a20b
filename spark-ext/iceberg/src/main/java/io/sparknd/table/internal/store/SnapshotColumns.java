/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.Optional;
import java.util.function.Function;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * The columns of scans of a snapshot, which have the names of its time: columns may have been
 * renamed since.
 */
public record SnapshotColumns(Table table, long snapshot) {
  /**
   * Returns a filter of a scan on one column.
   *
   * @param snapshot null if nothing was written yet
   * @param column a name of the table's current schema
   * @param condition makes the filter of the name that the scan has for the column
   * @return a filter that all rows pass if the scan has no such column
   */
  public static Expression filter(
      Table table, @Nullable Long snapshot, String column, Function<String, Expression> condition) {
    return Optional.ofNullable(snapshot)
        .filter(id -> table.snapshot(id) != null) // the scan says so
        .flatMap(id -> new SnapshotColumns(table, id).filterName(column))
        .map(condition)
        .orElse(Expressions.alwaysTrue());
  }

  /**
   * Returns the name that a scan knows a column by.
   *
   * @param column a name of the table's current schema
   * @return empty if the column is younger than the snapshot
   */
  public Optional<String> name(String column) {
    return in(SnapshotUtil.schemaFor(table, snapshot), column);
  }

  /**
   * Returns the name that filters of a scan have for a column.
   *
   * @param column as for {@link #name}
   * @return empty if the column is younger than the snapshot
   */
  public Optional<String> filterName(String column) {
    return in(filterSchema(), column);
  }

  /** Returns the columns by which a scan finds those of its filter. */
  public Schema filterSchema() {
    Snapshot current = table.currentSnapshot();
    // Iceberg binds the partition specs of a current snapshot to the schema of now, and those of a
    // branch, too, while main has no snapshot
    return current == null || current.snapshotId() == snapshot
        ? table.schema()
        : SnapshotUtil.schemaFor(table, snapshot);
  }

  private Optional<String> in(Schema schema, String column) {
    Types.NestedField field = table.schema().findField(column);
    return field == null
        ? Optional.empty()
        : Optional.ofNullable(schema.findColumnName(field.fieldId()));
  }
}
