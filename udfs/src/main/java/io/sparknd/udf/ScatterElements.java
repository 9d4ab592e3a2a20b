/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.op.Reduction;
import org.apache.spark.sql.api.java.UDF4;

/**
 * Replaces one element per update: the element at the update's own position, with the coordinate
 * along the axis replaced by its index. A negative index or axis counts from the end.
 *
 * <p>{@code call(data, indices, updates, axis)}: the result has the type of {@code data}. A NULL
 * argument gives NULL.
 */
public final class ScatterElements implements UDF4<Object, Object, Object, Integer, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object data, Object indices, Object updates, Integer axis) {
    return BoxedCalls.scatterElements(Reduction.NONE, data, indices, updates, axis);
  }
}
