/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Keeps queries with scalar functions, such as {@code tensor_scatter_nd_update}, on the GPU with
 * the RAPIDS Accelerator. Spark loads the extension if the jar is on the class path; otherwise name
 * it in {@code spark.sql.extensions}. If the Accelerator is not in {@code spark.plugins}, it
 * changes nothing.
 */
public final class GpuExtensions implements SparkSessionExtensionsProvider {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectPreCBORule(new Rules());
    return BoxedUnit.UNIT;
  }

  private static final class Rules extends AbstractFunction1<SparkSession, Rule<LogicalPlan>> {
    @Override
    public Rule<LogicalPlan> apply(SparkSession session) {
      return new CallsForRapids(session);
    }
  }
}
