/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.op.Reduction;
import org.apache.spark.sql.api.java.UDF3;

/**
 * Updates are multiplied into slices of the tensor.
 *
 * <p>{@code call(tensor, indices, updates)}: the tensor's type is that of the result; NULL gives
 * NULL.
 */
public class TensorScatterNdMul implements UDF3<Object, Object, Object, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public final Object call(Object tensor, Object indices, Object updates) {
    return BoxedCalls.tensorScatterNd(Reduction.MUL, tensor, indices, updates);
  }
}
