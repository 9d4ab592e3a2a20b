/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.op.Reduction;
import org.apache.spark.sql.api.java.UDF3;

/**
 * Updates replace slices of the tensor; the last one of a slice stays.
 *
 * <p>{@code call(tensor, indices, updates)}: the tensor's type is that of the result; NULL gives
 * NULL.
 */
public class TensorScatterNdUpdate implements UDF3<Object, Object, Object, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public final Object call(Object tensor, Object indices, Object updates) {
    return BoxedCalls.tensorScatterNd(Reduction.NONE, tensor, indices, updates);
  }
}
