/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage;
import scala.collection.immutable.Seq;

/**
 * The child of a physical operator as a query of its own, so that what is written for Datasets runs
 * inside operators, too.
 */
public final class PlannedRows extends LogicalPlan {
  private static final long serialVersionUID = 1;

  private final Seq<Attribute> output;
  private final Statistics size;

  public PlannedRows(Seq<Attribute> output, Statistics size) {
    this.output = output;
    this.size = size;
  }

  /**
   * The rows of {@code child}, with columns {@code c0, c1, ...}: several of its own may have one
   * name.
   *
   * @param size of the rows, as far as the planner knows
   */
  public static Dataset<Row> of(SparkPlan child, Statistics size) {
    List<Attribute> columns = Sequences.list(child.output());
    Attribute[] named = new Attribute[columns.size()];
    for (int i = 0; i < named.length; i++) {
      named[i] = columns.get(i).withName("c" + i);
    }
    Seq<Attribute> output = Sequences.of(List.of(named));
    LogicalPlan rows =
        new LogicalQueryStage(new PlannedRows(output, size), new PlannedRowsExec(child, output));
    return org.apache.spark.sql.classic.Dataset.ofRows(child.session(), rows);
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public Statistics stats() {
    return size;
  }

  @Override
  public Seq<LogicalPlan> children() {
    return Sequences.of(List.of());
  }

  @Override
  public AttributeSet producedAttributes() {
    return Sequences.set(output);
  }

  @Override
  public LogicalPlan withNewChildrenInternal(
      scala.collection.immutable.IndexedSeq<LogicalPlan> none) {
    return this;
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int n) {
    return n == 0 ? output : size;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof PlannedRows;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlannedRows rows && output.equals(rows.output);
  }

  @Override
  public int hashCode() {
    return Objects.hash(output);
  }
}
