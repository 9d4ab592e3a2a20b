/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.op.Reduction;
import org.apache.spark.sql.api.java.UDF3;

/**
 * Subtracts updates from slices of the tensor.
 *
 * <p>{@code call(tensor, indices, updates)}: the result has the type of {@code tensor}. A NULL
 * argument gives NULL.
 */
public class TensorScatterNdSub implements UDF3<Object, Object, Object, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public final Object call(Object tensor, Object indices, Object updates) {
    return BoxedCalls.tensorScatterNd(Reduction.SUB, tensor, indices, updates);
  }
}
