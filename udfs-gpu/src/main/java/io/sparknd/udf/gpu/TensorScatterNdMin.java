/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import org.apache.spark.sql.api.java.UDF3;

/** {@link io.sparknd.udf.TensorScatterNdMin} for queries on GPUs. */
public final class TensorScatterNdMin extends io.sparknd.udf.TensorScatterNdMin
    implements UDF3<Object, Object, Object, Object>, JavaFunction {
  private static final long serialVersionUID = 1;

  @Override
  public String sql() {
    return "tensor_scatter_nd_min";
  }
}
