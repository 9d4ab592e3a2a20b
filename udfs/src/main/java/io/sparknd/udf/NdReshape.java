/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF2;

/**
 * Returns the same elements in another shape, of which one dimension may be -1. A NULL argument
 * gives NULL.
 */
public final class NdReshape implements UDF2<Object, Object, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object tensor, Object shape) {
    return BoxedCalls.reshape(tensor, shape);
  }
}
