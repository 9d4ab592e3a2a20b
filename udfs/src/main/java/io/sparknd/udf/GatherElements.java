/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF3;

/**
 * Gathers one element per index: the element at the index's own position, with the coordinate along
 * the axis replaced by the index. A negative index or axis counts from the end.
 *
 * <p>{@code call(data, indices, axis)}: the result has the shape of the indices. A NULL argument
 * gives NULL.
 */
public final class GatherElements implements UDF3<Object, Object, Integer, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object data, Object indices, Integer axis) {
    return BoxedCalls.gatherElements(data, indices, axis);
  }
}
