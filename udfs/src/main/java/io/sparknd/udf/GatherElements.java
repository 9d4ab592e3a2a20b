/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF3;

/**
 * For each index the element that its own position names, the coordinate along the axis replaced by
 * the index. A negative index or axis counts from the end.
 *
 * <p>{@code call(data, indices, axis)}: the result has the shape of the indices; NULL gives NULL.
 */
public final class GatherElements implements UDF3<Object, Object, Integer, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object data, Object indices, Integer axis) {
    return BoxedCalls.gatherElements(data, indices, axis);
  }
}
