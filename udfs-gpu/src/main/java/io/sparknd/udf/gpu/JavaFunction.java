/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;
import io.sparknd.udf.catalyst.TensorFunctions;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;

/**
 * What classes for {@code spark.udf.registerJava} do on a GPU: their types come with the columns.
 * Spark wants each class itself to name the interface of its calls, inherited or not.
 */
interface JavaFunction extends RapidsUDF {
  /** The SQL function that does the same. */
  String sql();

  @Override
  default ColumnVector evaluateColumnar(int rows, ColumnVector... arguments) {
    DataType[] types = Stream.of(arguments).map(CudfTypes::of).toArray(DataType[]::new);
    return Columns.evaluate(TensorFunctions.function(sql(), types), rows, arguments);
  }
}
