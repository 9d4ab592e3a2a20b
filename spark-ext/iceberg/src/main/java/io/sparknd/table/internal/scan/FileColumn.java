/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.SparkUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PartitionUtil;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Where a file has a column of the table.
 *
 * @param stored null if all rows have the same value
 * @param constant that value, in Spark's internal form
 */
record FileColumn(DataType type, @Nullable VectorColumn stored, @Nullable Object constant) {

  /**
   * Returns the columns of a file, in the order of the projection.
   *
   * @return empty if only Iceberg can read one of them
   */
  static Optional<List<FileColumn>> of(PlannedFiles planned, FileScanTask task, MessageType file) {
    Map<Integer, Type> byId = new HashMap<>();
    for (Type field : file.getFields()) {
      if (field.getId() == null || byId.put(field.getId().intValue(), field) != null) {
        return Optional.empty(); // columns are found by name
      }
    }
    Map<Integer, ?> constants = PartitionUtil.constantsMap(task, SparkUtil::internalToSpark);
    List<FileColumn> columns = new ArrayList<>();
    for (Types.NestedField field : planned.projection().columns()) {
      Optional<FileColumn> column =
          constants.containsKey(field.fieldId())
              ? Optional.of(constant(field, constants.get(field.fieldId())))
              : of(field, byId.get(field.fieldId()), file);
      if (column.isEmpty()) {
        return Optional.empty();
      }
      columns.add(column.get());
    }
    return Optional.of(columns);
  }

  private static Optional<FileColumn> of(
      Types.NestedField field, @Nullable Type stored, MessageType file) {
    if (stored != null) {
      return VectorColumn.of(field.type(), stored, file)
          .map(column -> new FileColumn(SparkSchemaUtil.convert(field.type()), column, null));
    }
    Object initial = field.initialDefault();
    if (initial != null && field.type().isPrimitiveType()) {
      return Optional.of(constant(field, SparkUtil.internalToSpark(field.type(), initial)));
    }
    return initial == null && field.isOptional()
        ? Optional.of(constant(field, null))
        : Optional.empty();
  }

  private static FileColumn constant(Types.NestedField field, @Nullable Object value) {
    return new FileColumn(SparkSchemaUtil.convert(field.type()), null, value);
  }
}
