/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF2;

/**
 * The slices of a tensor that index tuples name.
 *
 * <p>{@code call(params, indices)}: the rank of the result is {@code indices} less 1 and {@code
 * params} less the length of a tuple; NULL gives NULL.
 */
public final class GatherNd implements UDF2<Object, Object, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object params, Object indices) {
    return BoxedCalls.gatherNd(params, indices, 0);
  }
}
