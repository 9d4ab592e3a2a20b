/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.store.StoredFormat;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * What a column of a table is.
 *
 * @param dtype dtype of its elements; empty if it is stored as it is
 * @param shape shape of its slices; empty if it has no fixed one
 * @param reduction the declared reduction
 * @param state columns that hold the reduction's state
 */
record DescribedColumn(
    String name,
    ColumnRole role,
    String type,
    Optional<DType> dtype,
    Optional<Shape> shape,
    Optional<String> fill,
    Optional<VariableReduction> reduction,
    List<String> state) {

  /** What a column is for. */
  enum ColumnRole {
    KEY,
    VARIABLE,
    STATE,
    INDEX,
    VALUE,
    OTHER;

    /** Returns the name in result rows. */
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static DescribedColumn of(Types.NestedField field, ColumnRole role) {
    return new DescribedColumn(
        field.name(),
        role,
        SparkSchemaUtil.convert(field.type()).sql(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  /** Describes a column of a table that is not SparkND's. */
  static DescribedColumn other(Types.NestedField field) {
    return of(field, ColumnRole.OTHER);
  }

  /** Describes a column of a feature table. */
  static DescribedColumn of(Types.NestedField field, FeatureFormat format) {
    List<String> key = format.axis().columns().stream().map(KeyColumn::name).toList();
    if (key.contains(field.name())) {
      return of(field, ColumnRole.KEY);
    }
    return format.columns().stream()
        .filter(column -> column.fieldId() == field.fieldId())
        .findFirst()
        .map(column -> of(field, column))
        .orElseGet(() -> other(field));
  }

  private static DescribedColumn of(Types.NestedField field, FeatureColumn column) {
    if (column.isState()) {
      return of(field, ColumnRole.STATE);
    }
    CellType.@Nullable Elements elements =
        column.type() instanceof CellType.Elements some ? some : null;
    return new DescribedColumn(
        field.name(),
        ColumnRole.VARIABLE,
        SparkSchemaUtil.convert(field.type()).sql(),
        Optional.ofNullable(elements).map(CellType.Elements::dtype),
        Optional.ofNullable(elements).map(CellType.Elements::shape),
        column.fill(),
        Optional.of(column.effective()),
        column.state());
  }

  /** Describes a column of a tensor table. */
  static DescribedColumn of(Types.NestedField field, StoredFormat format) {
    RowFormat rows = format.rows();
    if (rows.indexColumns().contains(field.name())) {
      return of(field, ColumnRole.INDEX);
    }
    int value = rows.values().names().indexOf(field.name());
    if (value < 0) {
      return other(field);
    }
    boolean isOne = rows.values().names().size() == 1;
    return new DescribedColumn(
        field.name(),
        ColumnRole.VALUE,
        SparkSchemaUtil.convert(field.type()).sql(),
        Optional.of(rows.dtype()),
        Optional.of(isOne ? rows.slice() : Shape.of()),
        Optional.of(
            String.valueOf(format.fill().element(format.fill().elements() == 1 ? 0 : value))),
        Optional.empty(),
        List.of());
  }
}
