/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The position of a call in its statement, for errors raised by rows. Public for generated code.
 *
 * @param context null if there is no statement
 */
public record CallOrigin(QueryContext context) implements Serializable {
  /** Returns {@code error} with this position. */
  public SparkNdException of(SparkNdException error) {
    return SparkNdRuntimeException.at(context, error);
  }

  /**
   * Wraps the generated code of a call so that its errors name this position; assigns the variables
   * of {@code result}.
   */
  ExprCode around(ExprCode call, CodegenContext codegen, ExprCode result) {
    String place = codegen.addReferenceObj("place", this, CallOrigin.class.getName());
    String error = codegen.freshName("error");
    Class<?> type = result.value().javaType();
    String code =
        """
        boolean %1$s = true;
        %2$s %3$s = %4$s;
        try {
          %5$s
          %1$s = %6$s;
          %3$s = %7$s;
        } catch (%8$s %9$s) {
          throw %10$s.of(%9$s);
        }
        """
            .formatted(
                result.isNull(),
                type.getCanonicalName(),
                result.value(),
                initial(type),
                call.code(),
                call.isNull(),
                call.value(),
                SparkNdException.class.getName(),
                error,
                place);
    return new ExprCode(
        new CodeBlock(
            CollectionConverters.asScala(List.of(code)).toSeq(),
            CollectionConverters.asScala(List.<JavaCode>of()).toSeq()),
        result.isNull(),
        result.value());
  }

  private static String initial(Class<?> type) {
    if (!type.isPrimitive()) {
      return "null";
    }
    return type == boolean.class ? "false" : "(" + type + ") 0";
  }
}
