/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import org.apache.spark.sql.catalyst.expressions.AttributeMap$;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import scala.Option;
import scala.math.BigInt;

/** Spark statistics with only a size. */
final class PlannedSizes {
  private PlannedSizes() {}

  static Statistics of(long bytes) {
    return new Statistics(
        BigInt.apply(bytes), Option.empty(), AttributeMap$.MODULE$.empty(), false);
  }
}
