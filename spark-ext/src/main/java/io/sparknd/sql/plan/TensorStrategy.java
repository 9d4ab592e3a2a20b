/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.spark.Sequences;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/** Plans {@link TensorQuery}. */
final class TensorStrategy extends SparkStrategy {
  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (!(plan instanceof TensorQuery query)) {
      return Sequences.of(List.of());
    }
    List<LogicalPlan> tables = Sequences.list(query.children());
    List<SparkPlan> planned = tables.stream().map(this::planLater).toList();
    List<Statistics> sizes = tables.stream().map(LogicalPlan::stats).toList();
    return Sequences.of(
        List.of(
            new TensorQueryExec(
                query.operation(), Sequences.of(planned), query.output(), Sequences.of(sizes))));
  }
}
