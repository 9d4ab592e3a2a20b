/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import static org.apache.spark.sql.functions.lit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;

/**
 * Values of an earlier schema of a table in a later one. Fields of structs are those of the same
 * id, as Iceberg reads them; Spark's cast would take those of the same place.
 */
final class EvolvedValue {
  private EvolvedValue() {}

  /**
   * Returns a value as a later schema has it.
   *
   * @param before the type of the value
   * @param now the type of the same field later
   */
  static Column of(Column value, Type before, Type now) {
    if (before.equals(now)) {
      return value;
    }
    if (now instanceof Types.StructType struct) {
      Column[] fields = fields(value, before.asStructType(), struct);
      return functions.when(value.isNotNull(), functions.struct(fields));
    }
    if (now instanceof Types.ListType list) {
      Type element = before.asListType().elementType();
      return functions.transform(value, each -> of(each, element, list.elementType()));
    }
    if (now instanceof Types.MapType map) {
      return map(value, before.asMapType(), map);
    }
    return value.cast(SparkSchemaUtil.convert(now));
  }

  private static Column map(Column value, Types.MapType before, Types.MapType now) {
    Column values =
        functions.transform_values(
            value, (key, each) -> of(each, before.valueType(), now.valueType()));
    return before.keyType().equals(now.keyType())
        ? values
        : functions.transform_keys(values, (key, each) -> of(key, before.keyType(), now.keyType()));
  }

  private static Column[] fields(Column value, Types.StructType before, Types.StructType now) {
    List<Column> fields = new ArrayList<>();
    for (Types.NestedField field : now.fields()) {
      Types.NestedField old = before.field(field.fieldId());
      Column read =
          old == null ? initial(field) : of(value.getField(old.name()), old.type(), field.type());
      fields.add(read.as(field.name()));
    }
    return fields.toArray(Column[]::new);
  }

  /** Returns the value of a field that was added later. */
  static Column initial(Types.NestedField field) {
    Object value = field.initialDefault();
    Column literal =
        value instanceof ByteBuffer bytes
            ? lit(ByteBuffers.toByteArray(bytes))
            : lit(value == null ? null : SparkDefaults.text(field.type(), value));
    return literal.cast(SparkSchemaUtil.convert(field.type()));
  }
}
