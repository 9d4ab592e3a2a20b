/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF3;

/**
 * As {@link GatherNd}, with dimensions that tensor and indices share.
 *
 * <p>{@code call(params, indices, batchDims)}; NULL gives NULL.
 */
public final class GatherNdBatched implements UDF3<Object, Object, Integer, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object params, Object indices, Integer batchDims) {
    return BoxedCalls.gatherNd(params, indices, batchDims);
  }
}
