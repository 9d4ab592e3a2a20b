/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;

/**
 * The partition field by which rows are in blocks: the only one of new files. Other engines can add
 * fields, or drop it: files that exist keep their spec, so that they can be read.
 *
 * @param transform {@code bucket} or {@code truncate}
 * @param width number of buckets, or width of ranges
 * @param column field id of the column
 */
public record BlockField(String transform, long width, int column) {

  /**
   * Returns the position of the field in a spec, which may have others.
   *
   * @return -1 if the spec does not have it
   */
  public int position(PartitionSpec spec) {
    for (int i = 0; i < spec.fields().size(); i++) {
      if (is(spec.fields().get(i))) {
        return i;
      }
    }
    return -1;
  }

  private boolean is(PartitionField field) {
    return field.sourceId() == column
        && field.transform().toString().equals(transform + "[" + width + "]");
  }

  /**
   * Returns the error of commits to a table whose current spec is another one. It has the
   * statements that undo the change.
   *
   * @param name the table's name, quoted as in SQL
   */
  public SparkNdException changed(String name, Table table) {
    String wanted = transform + "(" + width + ", " + column(table, column) + ")";
    List<String> statements = new ArrayList<>();
    table.spec().fields().stream()
        .filter(field -> !field.transform().isVoid() && !is(field))
        .forEach(field -> statements.add("DROP PARTITION FIELD " + quoted(field.name())));
    if (position(table.spec()) < 0) {
      statements.add("ADD PARTITION FIELD " + wanted);
    }
    return statements.isEmpty()
        ? TableErrors.wrongPartitioning(name, found(table), wanted)
        : TableErrors.changedPartitions(
            name,
            found(table),
            wanted,
            statements.stream()
                .map(statement -> "ALTER TABLE " + name + " " + statement)
                .collect(Collectors.joining("; ")));
  }

  /** Returns the fields of a table's current spec, for messages. */
  private static String found(Table table) {
    return table.spec().isUnpartitioned()
        ? "nothing"
        : table.spec().fields().stream()
            .map(field -> field.transform() + "(" + column(table, field.sourceId()) + ")")
            .collect(Collectors.joining(", "));
  }

  private static String column(Table table, int id) {
    String name = table.schema().findColumnName(id);
    return name == null ? "a dropped column" : quoted(name);
  }

  private static String quoted(String name) {
    return SqlNames.joined(List.of(name));
  }
}
