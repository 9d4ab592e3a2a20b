/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.spark.CaseClass;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * Supplies the {@link RowMemory} of a call. Generated code has one instance per place of use.
 * Interpreted code gets a new one per evaluation, because a lambda is called many times a row.
 * Never part of a plan.
 */
final class RowMemoryState extends Expression implements CaseClass {
  private static final long serialVersionUID = 1;
  private static final DataType TYPE = new ObjectType(RowMemory.class);

  @Override
  public DataType dataType() {
    return TYPE;
  }

  @Override
  public Seq<Expression> children() {
    return UdfArguments.seq(List.of());
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public boolean foldable() {
    return false;
  }

  @Override
  public Object eval(InternalRow row) {
    return new RowMemory();
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    String type = RowMemory.class.getName();
    String variable =
        context.addMutableState(
            type, "rowMemory", name -> name + " = new " + type + "();", false, true);
    return ExprCode.forNonNullValue(JavaCode.global(variable, TYPE));
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> none) {
    return this;
  }

  @Override
  public List<Object> fields() {
    return List.of();
  }
}
