/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.ExternalValues;
import io.sparknd.cluster.internal.spark.ConstantExpressions;
import io.sparknd.sql.internal.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.jspecify.annotations.Nullable;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Evaluates constant expressions. */
final class ConstantArguments {
  private ConstantArguments() {}

  /**
   * Returns the value as a Java object, with arrays as lists; empty for NULL.
   *
   * @throws io.sparknd.tensor.SparkNdException if it cannot be computed
   */
  static Optional<Object> value(String function, String name, Expression constant) {
    try {
      Object value = ConstantExpressions.of(constant);
      return Optional.ofNullable(asJava(ExternalValues.of(constant.dataType()).external(value)));
    } catch (RuntimeException e) {
      throw SqlErrors.constantFails(function, name, constant.sql(), e);
    }
  }

  private static @Nullable Object asJava(@Nullable Object value) {
    if (!(value instanceof Seq<?> sequence)) {
      return value;
    }
    List<Object> list = new ArrayList<>();
    CollectionConverters.asJava(sequence).forEach(element -> list.add(asJava(element)));
    return list;
  }
}
