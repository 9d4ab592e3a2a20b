/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.spark.Undeclared;
import io.sparknd.tensor.SparkNdException;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.AnalysisException;
import scala.Option;
import scala.collection.immutable.Map$;

/** Errors as Spark's analyser throws them; it adds the position in the statement. */
final class AnalysisErrors {
  private AnalysisErrors() {}

  /** To be thrown; a checked exception in Java, not in Spark. */
  static RuntimeException of(SparkNdException problem) {
    return Undeclared.thrown(
        new AnalysisException(
            problem.getMessage(),
            Option.empty(),
            Option.empty(),
            Option.apply(problem),
            Option.empty(),
            Map$.MODULE$.empty(),
            new QueryContext[0]));
  }
}
