/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.CaseClass;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The table that a {@link TensorQuery} reads block by block. It is in the plan so that Spark
 * refreshes it with the other tables of the query: between analysis and execution a table may have
 * new versions, which {@link RefreshedTables} gives to the operation. Never evaluated.
 */
public final class StoredTableExpression extends PlanExpression<LogicalPlan> implements CaseClass {
  private static final long serialVersionUID = 1;

  private final LogicalPlan relation;
  private final ExprId id;

  public StoredTableExpression(LogicalPlan relation, ExprId id) {
    this.relation = relation;
    this.id = id;
  }

  static StoredTableExpression of(DataSourceV2Relation relation) {
    return new StoredTableExpression(relation, NamedExpression.newExprId());
  }

  /** Returns the table as Spark has refreshed it. */
  DataSourceV2Relation table() {
    return (DataSourceV2Relation) relation;
  }

  @Override
  public LogicalPlan plan() {
    return relation;
  }

  @Override
  public StoredTableExpression withNewPlan(LogicalPlan other) {
    return new StoredTableExpression(other, id);
  }

  @Override
  public ExprId exprId() {
    return id;
  }

  /** The operation says which table and version it reads. */
  @Override
  public Expression canonicalized() {
    return Literal.TrueLiteral();
  }

  @Override
  public DataType dataType() {
    return DataTypes.NullType;
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public Seq<Expression> children() {
    return ScalaSeqs.of(List.of());
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> none) {
    return this;
  }

  @Override
  public Object eval(InternalRow row) {
    throw new UnsupportedOperationException("a table is no value");
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    throw new UnsupportedOperationException("a table is no value");
  }

  @Override
  public List<Object> fields() {
    return List.of(relation, id);
  }

  /** By identity: two versions of a table may be equal to Spark. */
  @Override
  @SuppressWarnings("ReferenceEquality")
  public boolean equals(Object other) {
    return other instanceof StoredTableExpression source && source.relation == relation;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(relation);
  }
}
