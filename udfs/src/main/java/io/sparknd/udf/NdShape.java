/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF1;

/** Returns the dimensions of a tensor, outermost first. NULL gives NULL. */
public final class NdShape implements UDF1<Object, long[]> {
  private static final long serialVersionUID = 1;

  @Override
  public long[] call(Object tensor) {
    return BoxedCalls.shape(tensor);
  }
}
