/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.spark.CaseClass;
import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A call of a {@link RowFunction} under its SQL name. Spark's {@link Invoke} evaluates it,
 * interpreted or in generated code; a NULL argument gives NULL. Public for modules that evaluate it
 * by other means.
 */
public final class RowCall extends Expression implements CaseClass, Serializable {
  private static final long serialVersionUID = 1;

  /** The largest result that is constant-folded; larger ones are computed in the tasks. */
  private static final long MAX_FOLDED_BYTES = 1 << 20;

  private final RowFunction function;
  private final Seq<Expression> children;

  /** Stored separately, because Spark does not send the origin of an expression to tasks. */
  private final CallOrigin origin;

  private transient Invoke invoke;
  private transient Boolean small;

  /**
   * Creates a call.
   *
   * @param children the arguments of {@code function} first
   */
  RowCall(RowFunction function, Seq<Expression> children) {
    this.function = function;
    this.children = children;
    this.origin = new CallOrigin(origin().context());
  }

  /** Copies a call, also in tasks, where the origin is not available. */
  private RowCall(RowFunction function, Seq<Expression> children, CallOrigin origin) {
    this.function = function;
    this.children = children;
    this.origin = origin;
  }

  /** Returns the invocation, created lazily because it needs resolved arguments. */
  private Invoke invoke() {
    if (invoke == null) {
      Expression target = Literal.create(function, new ObjectType(function.getClass()));
      invoke =
          new Invoke(
              target,
              "apply",
              function.dataType(),
              UdfArguments.seq(invokeArguments()),
              UdfArguments.<AbstractDataType>seq(List.of()),
              true,
              true,
              true);
    }
    return invoke;
  }

  private List<Expression> invokeArguments() {
    List<Expression> all = new ArrayList<>(arguments());
    if (function.takesMemory()) {
      all.add(new RowMemoryState());
    }
    return all;
  }

  @Override
  public Seq<Expression> children() {
    return children;
  }

  @Override
  public DataType dataType() {
    return function.dataType();
  }

  @Override
  public boolean nullable() {
    return arguments().stream().anyMatch(Expression::nullable);
  }

  @Override
  public boolean foldable() {
    return CollectionConverters.asJava(children).stream().allMatch(Expression::foldable)
        && isSmall();
  }

  /**
   * Whether the result is small enough to fold: Spark stores the value of a foldable expression on
   * the driver and sends it with every task.
   */
  private boolean isSmall() {
    if (small == null) {
      small = bytes() <= MAX_FOLDED_BYTES;
    }
    return small;
  }

  private long bytes() {
    try {
      Object[] row = arguments().stream().map(RowCall::constant).toArray();
      return Arrays.asList(row).contains(null) ? 0 : function.bytes(row);
    } catch (SparkNdException e) {
      // raised when Spark folds the call, unless that is in a branch which is never taken
      return 0;
    }
  }

  private static Object constant(Expression constant) {
    return StaticShapes.constant(constant).orElse(null);
  }

  public RowFunction function() {
    return function;
  }

  /** Returns the arguments that {@link #function} takes. */
  public List<Expression> arguments() {
    return CollectionConverters.asJava(children).subList(0, function.arity());
  }

  @Override
  public Object eval(InternalRow row) {
    try {
      return invoke().eval(row);
    } catch (SparkNdException e) {
      throw origin.of(e);
    }
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return origin.around(invoke().genCode(context), context, code);
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
    return new RowCall(function, others, origin);
  }

  @Override
  public String sql() {
    return function.isImplicit() ? arguments().get(0).sql() : super.sql();
  }

  @Override
  public String prettyName() {
    return function.name();
  }

  /** Returns the arguments that plans show in parentheses. */
  @Override
  public Iterator<Object> stringArgs() {
    return children.iterator().map(child -> child);
  }

  @Override
  public List<Object> fields() {
    return List.of(function, children);
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
