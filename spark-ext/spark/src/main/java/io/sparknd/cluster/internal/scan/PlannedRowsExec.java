/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import io.sparknd.cluster.internal.spark.CaseClass;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/**
 * Runs a plan that is part of another query. It is a leaf, so that the plan, which that query has
 * prepared, is not planned a second time.
 */
public final class PlannedRowsExec extends SparkPlan implements CaseClass {
  private static final long serialVersionUID = 1;

  private final SparkPlan planned;
  private final Seq<Attribute> output;

  public PlannedRowsExec(SparkPlan planned, Seq<Attribute> output) {
    this.planned = planned;
    this.output = output;
  }

  SparkPlan planned() {
    return planned;
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public boolean supportsColumnar() {
    return planned.supportsColumnar();
  }

  @Override
  public boolean supportsRowBased() {
    return planned.supportsRowBased();
  }

  @Override
  public RDD<InternalRow> doExecute() {
    return planned.execute();
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    return planned.executeColumnar();
  }

  @Override
  public Seq<SparkPlan> children() {
    return ScalaSeqs.of(List.of());
  }

  @Override
  public AttributeSet producedAttributes() {
    return ScalaSeqs.set(output);
  }

  @Override
  public SparkPlan withNewChildrenInternal(scala.collection.immutable.IndexedSeq<SparkPlan> none) {
    return this;
  }

  @Override
  public List<Object> fields() {
    return List.of(planned, output);
  }

  @Override
  public boolean equals(Object other) {
    return CaseClass.areEqual(this, other);
  }

  @Override
  public int hashCode() {
    return fields().hashCode();
  }
}
