/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.StructType;

/**
 * The names that columns have in a tensor's own table, by which they are looked for in the other
 * table of a call.
 *
 * @param indices outermost dimension first
 */
public record TensorNames(List<String> indices, String value) {
  public TensorNames {
    indices = List.copyOf(indices);
  }

  static TensorNames of(TableArgument tensor, SliceTable columns) {
    List<String> names = tensor.columns().stream().map(Attribute::name).toList();
    return new TensorNames(
        columns.indices().stream().map(names::get).toList(), names.get(columns.value()));
  }

  /**
   * Those of a tensor's kept table.
   *
   * @param schema index columns, and one column of slices, whatever the layout
   */
  public static TensorNames of(StructType schema) {
    List<String> names = List.of(schema.fieldNames());
    return new TensorNames(names.subList(0, names.size() - 1), names.get(names.size() - 1));
  }

  /** As messages show them. */
  String shown() {
    return "index columns " + indices + " and value column '" + value + "'";
  }
}
