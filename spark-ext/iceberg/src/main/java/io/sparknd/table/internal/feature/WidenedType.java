/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.types.DataType;

/**
 * A wider type of a variable, as which Iceberg reads the values that exist.
 *
 * @param variable name of the variable
 * @param wide the type that its column gets
 */
record WidenedType(StoredFeatures stored, String variable, Type.PrimitiveType wide) {

  /**
   * Returns a type that is wider than that of a variable.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is not
   */
  static WidenedType of(StoredFeatures stored, String variable, DataType type) {
    Schema schema = stored.table().schema();
    Type now = ColumnRecords.column(schema, variable).map(Types.NestedField::type).orElse(null);
    Type wanted = FeatureCatalog.columnType(plain(variable, type));
    boolean isWider =
        now != null
            && wanted.isPrimitiveType()
            && isNumber(now)
            && TypeUtil.isPromotionAllowed(now, wanted.asPrimitiveType())
            && stored.format().variableNames().contains(variable);
    if (!isWider) {
      throw refused(stored, variable);
    }
    return new WidenedType(stored, variable, wanted.asPrimitiveType());
  }

  private static boolean isNumber(Type type) {
    return switch (type.typeId()) {
      case INTEGER, FLOAT, DECIMAL -> true;
      default -> false;
    };
  }

  /**
   * Returns the properties that declare the dtype of elements, if any does.
   *
   * @throws io.sparknd.tensor.SparkNdException if the wider type cannot store the dtype
   */
  Map<String, Optional<String>> properties() {
    Map<String, String> options =
        FeatureProperties.ofVariable(stored.table().properties(), variable);
    Map<String, Optional<String>> changes = new HashMap<>();
    FeatureProperties.dtype(options)
        .map(this::wider)
        .ifPresent(
            dtype -> {
              changes.put(FeatureProperties.key(variable, "dtype"), Optional.of(dtype.toString()));
              changes.put(
                  FeatureProperties.key(variable, StoredTypes.OPTION),
                  StoredTypes.declared(Optional.of(dtype), FeatureProperties.shape(options)));
            });
    return changes;
  }

  /** Half floats are stored as floats, but not as doubles. */
  private DType wider(DType dtype) {
    return switch (dtype) {
      case INT32 -> DType.INT64;
      case FLOAT32 -> DType.FLOAT64;
      default -> throw refused();
    };
  }

  /** Returns a table's columns with the wider type. */
  List<Variable> of(List<Variable> columns) {
    return columns.stream()
        .map(
            column ->
                column.name().equals(variable)
                    ? plain(variable, SparkSchemaUtil.convert(wide))
                    : column)
        .toList();
  }

  private static Variable plain(String name, DataType type) {
    return new Variable(
        name, type, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Returns the error of a type that the variable cannot have. */
  SparkNdException refused() {
    return refused(stored, variable);
  }

  private static SparkNdException refused(StoredFeatures stored, String variable) {
    return CatalogErrors.columnType(stored.name(), SqlNames.joined(List.of(variable)));
  }
}
