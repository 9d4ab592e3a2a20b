/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.sparknd.table.internal.history.ValidTime;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.VariantVal;
import org.jspecify.annotations.Nullable;

/**
 * Values in Spark's internal form as JSON, as {@code to_json} writes them with {@code
 * ignoreNullFields} false.
 */
final class JsonValues {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonValues() {}

  static String text(DataType type, Object value) {
    return node(type, value).toString();
  }

  private static JsonNode node(DataType type, @Nullable Object value) {
    if (value == null) {
      return NODES.nullNode();
    }
    if (type instanceof ArrayType array) {
      return array((ArrayData) value, array.elementType());
    }
    if (type instanceof StructType struct) {
      return struct((InternalRow) value, struct);
    }
    if (type instanceof MapType map) {
      return map((MapData) value, map);
    }
    return scalar(type, value);
  }

  private static JsonNode array(ArrayData values, DataType type) {
    ArrayNode array = NODES.arrayNode(values.numElements());
    for (int i = 0; i < values.numElements(); i++) {
      array.add(node(type, values.isNullAt(i) ? null : values.get(i, type)));
    }
    return array;
  }

  private static JsonNode struct(InternalRow row, StructType type) {
    ObjectNode object = NODES.objectNode();
    for (int i = 0; i < type.length(); i++) {
      DataType field = type.fields()[i].dataType();
      object.set(type.fields()[i].name(), node(field, row.isNullAt(i) ? null : row.get(i, field)));
    }
    return object;
  }

  private static JsonNode map(MapData values, MapType type) {
    ObjectNode object = NODES.objectNode();
    ArrayData keys = values.keyArray();
    for (int i = 0; i < values.numElements(); i++) {
      ArrayData all = values.valueArray();
      JsonNode key = node(type.keyType(), keys.get(i, type.keyType()));
      object.set(
          key.isContainerNode() ? key.toString() : key.asText(),
          node(type.valueType(), all.isNullAt(i) ? null : all.get(i, type.valueType())));
    }
    return object;
  }

  private static JsonNode scalar(DataType type, Object value) {
    if (type.equals(DataTypes.DateType)) {
      return NODES.textNode(LocalDate.ofEpochDay((int) value).toString());
    }
    if (type.equals(DataTypes.TimestampType)) {
      return NODES.textNode(ValidTime.instant((long) value).toString());
    }
    if (type.equals(DataTypes.TimestampNTZType)) {
      return NODES.textNode(local((long) value).toString());
    }
    if (value instanceof VariantVal variant) {
      return NODES.rawValueNode(new RawValue(variant.toJson(ZoneOffset.UTC)));
    }
    if (value instanceof Double number) {
      return Double.isFinite(number) ? NODES.numberNode(number) : NODES.textNode(number.toString());
    }
    if (value instanceof Float number) {
      return Float.isFinite(number) ? NODES.numberNode(number) : NODES.textNode(number.toString());
    }
    if (value instanceof Decimal decimal) {
      return NODES.numberNode(decimal.toJavaBigDecimal());
    }
    if (value instanceof Boolean flag) {
      return NODES.booleanNode(flag);
    }
    if (value instanceof Number number) {
      return NODES.numberNode(number.longValue());
    }
    return value instanceof byte[] bytes
        ? NODES.binaryNode(bytes)
        : NODES.textNode(value.toString());
  }

  /** Returns the time that a timestamp without a time zone means. */
  static LocalDateTime local(long micros) {
    return LocalDateTime.ofInstant(ValidTime.instant(micros), ZoneOffset.UTC);
  }
}
