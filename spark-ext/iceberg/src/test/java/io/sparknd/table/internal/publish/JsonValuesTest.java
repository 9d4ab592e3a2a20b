/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.types.variant.Variant;
import org.apache.spark.types.variant.VariantBuilder;
import org.apache.spark.unsafe.types.VariantVal;
import org.junit.jupiter.api.Test;

/** Tests the JSON of published values. */
class JsonValuesTest {
  private static VariantVal variant(String json) throws IOException {
    Variant parsed = VariantBuilder.parseJson(json, false);
    return new VariantVal(parsed.getValue(), parsed.getMetadata());
  }

  /** As of {@code to_json}: not a string that has the text of a value. */
  @Test
  void variantsAreTheValuesThatTheyHold() throws IOException {
    String json = "{\"x\":[1,null,2.50],\"y\":\"z\"}";
    assertThat(JsonValues.text(DataTypes.VariantType, variant(json)))
        .isEqualTo("{\"x\":[1,null,2.5],\"y\":\"z\"}");
    assertThat(
            JsonValues.text(
                DataTypes.createArrayType(DataTypes.VariantType),
                new GenericArrayData(new Object[] {variant("7"), null, variant("\"a\"")})))
        .isEqualTo("[7,null,\"a\"]");
  }

  @Test
  void structsAndMapsAreObjects() {
    StructType type =
        StructType.fromDDL(
            "a TINYINT, b FLOAT, c DOUBLE, d BOOLEAN, e DECIMAL(5,2), f BINARY, g INT, h FLOAT");
    GenericInternalRow row =
        new GenericInternalRow(
            new Object[] {
              (byte) -3, Float.NaN, 0.1, true, Decimal.apply("1.50"), new byte[] {-1, 0}, null, 1.5f
            });
    assertThat(JsonValues.text(type, row))
        .isEqualTo(
            "{\"a\":-3,\"b\":\"NaN\",\"c\":0.1,\"d\":true,\"e\":1.50,\"f\":\"/wA=\",\"g\":null,"
                + "\"h\":1.5}");
    ArrayBasedMapData map =
        new ArrayBasedMapData(
            new GenericArrayData(new Object[] {0, 1}),
            new GenericArrayData(new Object[] {Double.NEGATIVE_INFINITY, null}));
    assertThat(
            JsonValues.text(DataTypes.createMapType(DataTypes.DateType, DataTypes.DoubleType), map))
        .isEqualTo("{\"1970-01-01\":\"-Infinity\",\"1970-01-02\":null}");
  }
}
