/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import org.apache.spark.sql.api.java.UDF3;

/**
 * Adds updates to zeros, or to empty strings.
 *
 * <p>{@code call(indices, updates, shape)}: the result is nested as deep as the shape is long, or a
 * struct if {@code updates} is one. A NULL argument gives NULL.
 */
public final class ScatterNd implements UDF3<Object, Object, Object, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object indices, Object updates, Object shape) {
    return BoxedCalls.scatterNd(indices, updates, shape);
  }
}
