/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF2;

/**
 * Gathers the slices of a tensor that index tuples name.
 *
 * <p>{@code call(params, indices)}: with tuples of k values, the rank of the result is {@code
 * rank(indices) - 1 + rank(params) - k}. A NULL argument gives NULL.
 *
 * <p>An array without elements gathers nothing. The function sees values only, not types, so it
 * cannot tell {@code []} as no tuples from {@code []} as one tuple without values, for which
 * TensorFlow returns the whole tensor; a struct of shape and values can.
 */
public final class GatherNd implements UDF2<Object, Object, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object params, Object indices) {
    return BoxedCalls.gatherNd(params, indices, 0);
  }
}
