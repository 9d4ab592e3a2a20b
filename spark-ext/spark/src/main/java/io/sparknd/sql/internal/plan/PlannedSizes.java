/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import org.apache.spark.sql.catalyst.expressions.AttributeMap$;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import scala.Option;
import scala.math.BigInt;

/** Spark statistics without columns. */
final class PlannedSizes {
  private PlannedSizes() {}

  static Statistics of(long bytes, Option<BigInt> rows) {
    return new Statistics(BigInt.apply(bytes), rows, AttributeMap$.MODULE$.empty(), false);
  }
}
