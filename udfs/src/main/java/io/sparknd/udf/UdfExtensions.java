/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.udf.catalyst.TensorFunctions;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.BoxedUnit;

/**
 * Registers the scalar functions, such as {@code tensor_scatter_nd_update}, and the aggregate
 * {@code scatter_nd_agg} in every Spark session. Spark discovers this class if the jar is on the
 * class path; otherwise name it in {@code spark.sql.extensions}.
 */
public final class UdfExtensions implements SparkSessionExtensionsProvider {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    SparkVersion.check();
    TensorFunctions.inject(extensions);
    return BoxedUnit.UNIT;
  }
}
