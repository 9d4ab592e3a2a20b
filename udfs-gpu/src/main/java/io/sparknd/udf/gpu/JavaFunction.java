/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;
import io.sparknd.udf.catalyst.TensorFunctions;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;

/**
 * The GPU implementation of classes for {@code spark.udf.registerJava}; argument types come from
 * the columns. Spark requires that each class itself declares the interface of its arity, even if
 * it inherits it.
 */
interface JavaFunction extends RapidsUDF {
  /** The name of the equivalent SQL function. */
  String sql();

  @Override
  default ColumnVector evaluateColumnar(int rows, ColumnVector... arguments) {
    DataType[] types = Stream.of(arguments).map(CudfTypes::of).toArray(DataType[]::new);
    return Columns.evaluate(TensorFunctions.function(sql(), types), rows, arguments);
  }
}
