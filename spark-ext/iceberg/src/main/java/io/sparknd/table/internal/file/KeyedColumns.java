/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.RepetitionPattern;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Finds columns of a feature table in a Parquet file: by field id, or by name if the file has no
 * ids.
 */
record KeyedColumns(String file, MessageType schema) {
  private static final int UUID_BYTES = 16;

  /**
   * Returns a key column.
   *
   * @throws io.sparknd.tensor.SparkNdException if the file does not have it, or as another type
   */
  ColumnDescriptor key(KeyColumn key) {
    List<ColumnDescriptor> found = leaves(key.fieldId(), key.name());
    if (found.isEmpty()) {
      throw TableErrors.noFileColumn(
          file, key.name(), schema.getFields().stream().map(Type::getName).toList());
    }
    PrimitiveType type = found.get(0).getPrimitiveType();
    PrimitiveTypeName physical = type.getPrimitiveTypeName();
    boolean isReadable =
        found.size() == 1
            && found.get(0).getMaxRepetitionLevel() == 0
            && LeafColumnFinder.fitsSigned(type)
            && switch (key.type()) {
              case STRING, BINARY -> physical == PrimitiveTypeName.BINARY;
              case UUID ->
                  physical == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
                      && type.getTypeLength() == UUID_BYTES;
              case LONG ->
                  physical == PrimitiveTypeName.INT64 || physical == PrimitiveTypeName.INT32;
              case INT, DATE -> physical == PrimitiveTypeName.INT32;
            };
    if (!isReadable) {
      throw TableErrors.wrongFileColumn(file, key.name(), type.toString(), key.type().toString());
    }
    return found.get(0);
  }

  /** Returns a column of cells; null if the file does not have it as a column of that type. */
  @Nullable LeafColumn cells(int fieldId, String name, CellType.Elements type) {
    List<ColumnDescriptor> found = leaves(fieldId, name);
    if (found.size() != 1) {
      return null;
    }
    ColumnDescriptor column = found.get(0);
    ValueKind kind =
        type.isBinary()
            ? new ValueKind.Slice(type.dtype().storage(), type.units())
            : ValueKind.of(type.dtype());
    Shape shape = type.isBinary() ? Shape.of() : type.shape();
    boolean isReadable =
        shape.elements() > 0
            && column.getMaxRepetitionLevel() == shape.rank()
            && column.getPrimitiveType().getPrimitiveTypeName() == kind.physical()
            && isPlain(column.getPrimitiveType().getLogicalTypeAnnotation());
    if (!isReadable) {
      return null;
    }
    RepetitionPattern pattern =
        shape.rank() == 0 ? RepetitionPattern.SCALAR : new RepetitionPattern(shape);
    int stride = type.isBinary() ? type.units() : 1;
    Set<Integer> emptyLevels = LeafColumnFinder.emptyLevels(schema, column);
    return new LeafColumn(column, name, pattern, kind, emptyLevels, 0, stride);
  }

  /** Returns whether numbers are those of the table: times in microseconds, and signed integers. */
  private static boolean isPlain(@Nullable LogicalTypeAnnotation annotation) {
    if (annotation instanceof TimestampLogicalTypeAnnotation time) {
      return time.getUnit() == TimeUnit.MICROS;
    }
    return annotation instanceof IntLogicalTypeAnnotation integer
        ? integer.isSigned()
        : !(annotation instanceof DecimalLogicalTypeAnnotation);
  }

  /** Returns the leaf columns of a top-level field; empty if the file does not have it. */
  private List<ColumnDescriptor> leaves(int fieldId, String name) {
    boolean hasIds = schema.getFields().stream().anyMatch(field -> field.getId() != null);
    return schema.getFields().stream()
        .filter(
            field ->
                hasIds
                    ? field.getId() != null && field.getId().intValue() == fieldId
                    : field.getName().equals(name))
        .map(Type::getName)
        .flatMap(top -> schema.getColumns().stream().filter(leaf -> leaf.getPath()[0].equals(top)))
        .toList();
  }
}
