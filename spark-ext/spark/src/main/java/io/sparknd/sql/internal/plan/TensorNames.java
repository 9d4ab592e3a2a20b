/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.StructType;

/**
 * The column names of a tensor's own table, which are looked up in the other table of a call.
 *
 * @param indices outermost dimension first
 * @param columns all columns of the table, in its order, for messages
 */
public record TensorNames(List<String> indices, String value, List<String> columns) {
  public TensorNames {
    indices = List.copyOf(indices);
    columns = List.copyOf(columns);
  }

  static TensorNames of(TableArgument tensor, SliceOrdinals columns) {
    List<String> names = tensor.columns().stream().map(Attribute::name).toList();
    return new TensorNames(
        columns.indices().stream().map(names::get).toList(), names.get(columns.value()), names);
  }

  /**
   * Returns the names of a stored tensor's columns.
   *
   * @param schema index columns and one column of slices, for any layout
   */
  public static TensorNames of(StructType schema) {
    List<String> names = List.of(schema.fieldNames());
    int indices = names.size() - 1;
    return new TensorNames(names.subList(0, indices), names.get(indices), names);
  }

  /**
   * Returns the names of a stored tensor, with all columns of {@code table} for messages; a table
   * may have one value column per element.
   */
  static TensorNames of(TableArgument table, TensorRelation stored) {
    TensorNames names = of(stored.schema());
    List<String> columns = table.columns().stream().map(Attribute::name).toList();
    return new TensorNames(names.indices(), names.value(), columns);
  }

  /** Returns the names as error messages show them. */
  String shown() {
    return columns + ", with index columns " + indices + " and value column '" + value + "'";
  }
}
