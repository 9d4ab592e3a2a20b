/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;
import io.sparknd.udf.catalyst.RowFunction;
import io.sparknd.udf.catalyst.TensorFunctions;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;

/**
 * The GPU implementation of classes for {@code spark.udf.registerJava}; argument types come from
 * the columns. Updates of a narrower type than the tensor's are widened, as on the CPU. Spark
 * requires that each class itself declares the interface of its arity, even if it inherits it.
 */
interface JavaFunction extends RapidsUDF {
  /** The name of the equivalent SQL function. */
  String sql();

  @Override
  default ColumnVector evaluateColumnar(int rows, ColumnVector... arguments) {
    DataType[] types = Stream.of(arguments).map(CudfTypes::of).toArray(DataType[]::new);
    DataType updates = CudfTypes.widened(types[2], types[0]);
    RowFunction function = TensorFunctions.function(sql(), types[0], types[1], updates);
    if (updates.equals(types[2])) {
      return Columns.evaluate(function, rows, arguments);
    }
    try (ColumnVector wide = CudfTypes.cast(arguments[2], updates)) {
      return Columns.evaluate(function, rows, arguments[0], arguments[1], wide);
    }
  }
}
