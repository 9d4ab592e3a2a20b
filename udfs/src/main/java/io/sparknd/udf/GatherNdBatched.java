/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF3;

/**
 * Gathers as {@link GatherNd} does, with leading batch dimensions that tensor and indices share.
 *
 * <p>{@code call(params, indices, batchDims)}. A NULL argument gives NULL.
 */
public final class GatherNdBatched implements UDF3<Object, Object, Integer, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object params, Object indices, Integer batchDims) {
    return BoxedCalls.gatherNd(params, indices, batchDims);
  }
}
