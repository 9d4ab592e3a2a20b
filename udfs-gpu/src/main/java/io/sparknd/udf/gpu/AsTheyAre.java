/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import java.util.List;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Encoders for a {@code ScalaUDF} that takes and returns arrays in Spark's internal form. Without
 * them, Spark converts every element to an object before each call and back after it.
 */
public final class AsTheyAre {
  private static final DataType OBJECT = new ObjectType(Object.class);

  private AsTheyAre() {}

  /** Returns the encoder of an array; none for other types, which Spark passes unconverted. */
  static Option<ExpressionEncoder<?>> encoder(DataType type) {
    if (!(type instanceof ArrayType)) {
      return Option.empty();
    }
    return Option.apply(
        new ExpressionEncoder<>(
            AgnosticEncoders.BinaryEncoder$.MODULE$, as(type, OBJECT), as(OBJECT, type)));
  }

  /** Casts the first column from type {@code held} to {@code type} without conversion. */
  private static Expression as(DataType type, DataType held) {
    List<Expression> column = List.of(new BoundReference(0, held, true));
    return new StaticInvoke(
        AsTheyAre.class,
        type,
        "same",
        CollectionConverters.asScala(column).toSeq(),
        CollectionConverters.asScala(List.<AbstractDataType>of()).toSeq(),
        true,
        true,
        true,
        Option.empty());
  }

  /** Returns its argument; called by generated code. */
  public static Object same(Object value) {
    return value;
  }
}
