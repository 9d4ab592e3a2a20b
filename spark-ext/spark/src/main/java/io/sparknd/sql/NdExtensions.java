/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.sql.internal.plan.TableFunctions;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.BoxedUnit;

/**
 * Registers the table functions in every session if SparkND is on Spark's class path. If Spark's
 * class path cannot be changed, set {@code spark.sql.extensions=io.sparknd.sql.NdExtensions}.
 */
public final class NdExtensions implements SparkSessionExtensionsProvider {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    SparkVersion.check();
    TableFunctions.register(extensions);
    return BoxedUnit.UNIT;
  }
}
