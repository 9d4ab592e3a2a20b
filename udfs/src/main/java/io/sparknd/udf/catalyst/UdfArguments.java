/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.IncludeSelfArgument;
import io.sparknd.tensor.DType;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.catalyst.TensorType.Nested;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The arguments of a call, one for each parameter of the function.
 *
 * @param parameters in the order of {@code values}
 */
record UdfArguments(List<UdfParameter> parameters, List<Expression> values) {

  private int position(String name) {
    int at = 0;
    while (!parameters.get(at).name().equals(name)) {
      at++;
    }
    return at;
  }

  Expression value(String name) {
    return values.get(position(name));
  }

  /** Whether any of the first {@code count} arguments is an untyped NULL. */
  boolean hasVoid(int count) {
    return values.stream().limit(count).anyMatch(value -> value.dataType() instanceof NullType);
  }

  TensorArgument tensor(String name) {
    return TensorArgument.of(name, value(name), null);
  }

  /** Returns the tensor, with elements of the type of {@code target}. */
  TensorArgument tensorLike(String name, TensorArgument target) {
    ElementType element = target.type().element();
    return TensorArgument.of(name, value(name), element.dtype()).as(element, target.name());
  }

  TensorArgument indices(String name) {
    TensorArgument indices = TensorArgument.of(name, value(name), DType.INT64);
    if (!indices.type().element().isInteger()) {
      throw UdfErrors.notIndices(name, indices.typeName());
    }
    return indices;
  }

  /** Returns an argument that is an array of integers. */
  TensorArgument vector(String name) {
    TensorArgument vector = indices(name);
    if (!vector.type().equals(new Nested(vector.type().element(), 1))) {
      throw UdfErrors.notIndices(name, vector.typeName() + ", not an array of integers");
    }
    return vector;
  }

  /** Returns the length of an array of integers, if the statement determines it. */
  Optional<Integer> length(TensorArgument vector) {
    return StaticShapes.of(vector.expression(), vector.indexReader())
        .map(shape -> (int) shape.dim(0));
  }

  int constantInt(String name) {
    Expression value = value(name);
    if (!(value.dataType() instanceof IntegralType) && !(value.dataType() instanceof NullType)) {
      throw UdfErrors.notAnInteger(name, value.dataType().simpleString());
    }
    Number number = (Number) constant(name);
    return Math.toIntExact(
        Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number.longValue())));
  }

  String string(String name) {
    Expression value = value(name);
    if (!(value.dataType() instanceof StringType) && !(value.dataType() instanceof NullType)) {
      throw UdfErrors.notAString(name, value.dataType().simpleString());
    }
    return constant(name).toString();
  }

  private Object constant(String name) {
    Expression value = value(name);
    return Optional.of(value)
        .filter(Expression::foldable)
        .flatMap(StaticShapes::constant)
        .orElseThrow(() -> UdfErrors.notConstant(name, value.sql()));
  }

  /** Whether an argument is a constant NULL, the default of some options. */
  boolean isUnset(String name) {
    Expression value = value(name);
    return value.foldable() && StaticShapes.isNull(value);
  }

  /** Returns a constant boolean. */
  boolean flag(String name) {
    Expression value = value(name);
    if (!(value.dataType() instanceof BooleanType) && !(value.dataType() instanceof NullType)) {
      throw UdfErrors.notABoolean(name, value.dataType().simpleString());
    }
    return (Boolean) constant(name);
  }

  Reduction reduction() {
    return Reduction.named(string("reduction"));
  }

  /**
   * Returns the policy for indices that are out of bounds or negative.
   *
   * @param defaultNegative the default for negative indices; if it is {@code ERROR}, {@code
   *     bad_indices => 'ignore'} drops negative indices too
   */
  IndexPolicy policy(NegativeIndices defaultNegative) {
    BadIndices bad = BadIndices.named(string("bad_indices"));
    if (!isUnset("negative")) {
      return new IndexPolicy(bad, NegativeIndices.named(string("negative")));
    }
    return new IndexPolicy(BadIndices.ERROR, defaultNegative).withBad(bad);
  }

  /** Returns how {@code function} scatters by {@code reduction} under these options. */
  Scatter scatter(String function, Reduction reduction, NegativeIndices defaultNegative) {
    Scatter how = Scatter.of(reduction).withIndices(policy(defaultNegative));
    return IncludeSelfArgument.apply(function, how, Optional.of(flag(IncludeSelfArgument.NAME)));
  }

  /** Returns a call of {@code function} with these arguments first. */
  RowCall call(RowFunction function, TensorArgument... first) {
    return new RowCall(function, children(first));
  }

  /**
   * Returns these arguments, followed by all others up to the last that is not the default, because
   * they determine what the function does.
   */
  Seq<Expression> children(TensorArgument... first) {
    List<Expression> children = new ArrayList<>();
    for (TensorArgument argument : first) {
      children.add(argument.expression());
    }
    int end = values.size();
    while (end > first.length && isDefault(end - 1)) {
      end--;
    }
    children.addAll(values.subList(first.length, end));
    return seq(children);
  }

  private boolean isDefault(int at) {
    return values.get(at).equals(parameters.get(at).defaultValue());
  }

  static <T> Seq<T> seq(List<T> list) {
    return CollectionConverters.asScala(list).toSeq();
  }
}
