/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.op.Reduction;
import org.apache.spark.sql.api.java.UDF5;

/**
 * Scatters as {@link ScatterElements} does, with a named reduction such as {@code add}.
 *
 * <p>{@code call(data, indices, updates, axis, reduction)}. A NULL argument gives NULL.
 */
public final class ScatterElementsReduced
    implements UDF5<Object, Object, Object, Integer, String, Object> {
  private static final long serialVersionUID = 1;

  @Override
  public Object call(Object data, Object indices, Object updates, Integer axis, String reduction) {
    return reduction == null
        ? null
        : BoxedCalls.scatterElements(Reduction.named(reduction), data, indices, updates, axis);
  }
}
