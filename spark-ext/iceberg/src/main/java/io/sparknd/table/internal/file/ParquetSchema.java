/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.UnsignedLongCodec;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Builds the Parquet schema of a tensor's data file, with the field ids of its Iceberg schema. */
final class ParquetSchema {
  private static final List<Types.NestedField> LINEAGE =
      List.of(MetadataColumns.ROW_ID, MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);

  private ParquetSchema() {}

  static MessageType of(RowFormat format) {
    List<org.apache.parquet.schema.Type> fields = new ArrayList<>();
    for (Types.NestedField field : format.schema().columns()) {
      fields.add(field(field));
    }
    return new MessageType("table", fields);
  }

  /** Returns the schema with additional columns of row lineage, which may be null. */
  static MessageType withLineage(RowFormat format) {
    List<org.apache.parquet.schema.Type> fields = new ArrayList<>(of(format).getFields());
    for (Types.NestedField field : LINEAGE) {
      fields.add(
          org.apache.parquet.schema.Types.optional(PrimitiveTypeName.INT64)
              .id(field.fieldId())
              .named(field.name()));
    }
    return new MessageType("table", fields);
  }

  private static org.apache.parquet.schema.Type field(Types.NestedField field) {
    Type type = field.type();
    org.apache.parquet.schema.Types.Builder<?, ?> builder =
        switch (type.typeId()) {
          case LIST ->
              org.apache.parquet.schema.Types.requiredList()
                  .element(field(type.asListType().fields().get(0)));
          case STRUCT -> struct(type.asStructType());
          default -> primitive(type);
        };
    return ((org.apache.parquet.schema.Type) builder.named(field.name())).withId(field.fieldId());
  }

  private static org.apache.parquet.schema.Types.Builder<?, ?> struct(Types.StructType type) {
    org.apache.parquet.schema.Types.GroupBuilder<?> group =
        org.apache.parquet.schema.Types.requiredGroup();
    type.fields().forEach(field -> group.addField(field(field)));
    return group;
  }

  private static org.apache.parquet.schema.Types.Builder<?, ?> primitive(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> required(PrimitiveTypeName.BOOLEAN);
      case INTEGER -> required(PrimitiveTypeName.INT32);
      case LONG -> required(PrimitiveTypeName.INT64);
      case FLOAT -> required(PrimitiveTypeName.FLOAT);
      case DOUBLE -> required(PrimitiveTypeName.DOUBLE);
      case BINARY -> required(PrimitiveTypeName.BINARY);
      case STRING -> required(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.stringType());
      case DECIMAL ->
          required(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
              .length(UnsignedLongCodec.BYTES)
              .as(
                  LogicalTypeAnnotation.decimalType(
                      ((Types.DecimalType) type).scale(), ((Types.DecimalType) type).precision()));
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private static org.apache.parquet.schema.Types.PrimitiveBuilder<
          org.apache.parquet.schema.PrimitiveType>
      required(PrimitiveTypeName name) {
    return org.apache.parquet.schema.Types.required(name);
  }
}
