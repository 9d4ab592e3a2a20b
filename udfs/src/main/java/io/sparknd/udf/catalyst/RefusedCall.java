/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import java.io.Serializable;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A call that its arguments do not allow. It exists until Spark checks types, and then is an {@code
 * AnalysisException} with the place in the statement, which only Spark knows.
 */
final class RefusedCall extends Expression implements Serializable {
  private static final long serialVersionUID = 1;

  private final String name;
  private final String problem;
  private final Seq<Expression> children;

  RefusedCall(String name, String problem, Seq<Expression> children) {
    this.name = name;
    this.problem = problem;
    this.children = children;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return new TypeCheckResult.TypeCheckFailure(problem);
  }

  @Override
  public Seq<Expression> children() {
    return children;
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
  public Object eval(InternalRow row) {
    throw new IllegalStateException(problem);
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    throw new IllegalStateException(problem);
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
    return new RefusedCall(name, problem, others);
  }

  @Override
  public String prettyName() {
    return name;
  }

  /** What plans show between brackets. */
  @Override
  public Iterator<Object> stringArgs() {
    return children.iterator().map(child -> child);
  }

  @Override
  public int productArity() {
    return 3;
  }

  @Override
  public Object productElement(int n) {
    return switch (n) {
      case 0 -> name;
      case 1 -> problem;
      default -> children;
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof RefusedCall;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RefusedCall that
        && name.equals(that.name)
        && problem.equals(that.problem)
        && children.equals(that.children);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, problem, children);
  }
}
