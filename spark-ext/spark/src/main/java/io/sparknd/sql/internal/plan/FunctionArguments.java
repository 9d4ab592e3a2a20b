/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.spark.ConstantExpressions;
import io.sparknd.sql.internal.IncludeSelfArgument;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FunctionTableSubqueryArgumentExpression;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;

/** The arguments of one table function call, by parameter name. */
final class FunctionArguments {
  /** What decides which values are computed; a NULL of other options counts as left out. */
  private static final Set<String> NOT_NULL =
      Set.of(
          "reduction",
          "duplicates",
          "order_by",
          "index_columns",
          "value_column",
          IncludeSelfArgument.NAME);

  private final String function;
  private final Map<String, Expression> byName;

  private FunctionArguments(String function, Map<String, Expression> byName) {
    this.function = function;
    this.byName = byName;
  }

  /**
   * Binds the arguments of a call to parameters.
   *
   * @param given in the order of the call; Spark's parser ensures that positional arguments come
   *     before named ones
   * @throws io.sparknd.tensor.SparkNdException if an argument is unknown, duplicated, missing, not
   *     a table where one is required, or not a constant where one is required
   */
  static FunctionArguments of(
      String function, List<FunctionParameter> parameters, List<Expression> given) {
    List<String> names = parameters.stream().map(FunctionParameter::name).toList();
    Map<String, Expression> byName = new HashMap<>();
    for (int i = 0; i < given.size(); i++) {
      boolean named = given.get(i) instanceof NamedArgumentExpression;
      if (!named && i >= names.size()) {
        throw SqlErrors.tooManyArguments(function, given.size(), names);
      }
      String name = named ? name(given.get(i)) : names.get(i);
      Expression value =
          given.get(i) instanceof NamedArgumentExpression argument
              ? argument.value()
              : given.get(i);
      if (!names.contains(name)) {
        throw SqlErrors.unknownArgument(function, name, names);
      }
      if (byName.put(name, ConstantExpressions.plain(value)) != null) {
        throw SqlErrors.argumentTwice(function, name);
      }
    }
    parameters.forEach(parameter -> requireKind(function, parameter, byName));
    return new FunctionArguments(function, byName);
  }

  private static String name(Expression named) {
    return ((NamedArgumentExpression) named).key().toLowerCase(java.util.Locale.ROOT);
  }

  private static void requireKind(
      String function, FunctionParameter parameter, Map<String, Expression> byName) {
    Expression value = byName.get(parameter.name());
    boolean isTable = value instanceof FunctionTableSubqueryArgumentExpression;
    if (parameter.kind() == FunctionParameter.Kind.TABLE && !isTable) {
      throw SqlErrors.argumentNotTable(function, parameter.name());
    }
    if (parameter.kind() == FunctionParameter.Kind.CONSTANT && value != null && !value.foldable()) {
      throw SqlErrors.argumentNotConstant(function, parameter.name(), value.sql());
    }
  }

  /**
   * Returns a table argument.
   *
   * @throws io.sparknd.tensor.SparkNdException if it has PARTITION BY, ORDER BY or WITH SINGLE
   *     PARTITION, or depends on an outer query
   */
  TableArgument table(String name) {
    var table = (FunctionTableSubqueryArgumentExpression) Objects.requireNonNull(byName.get(name));
    boolean cut = !table.partitionByExpressions().isEmpty() || table.withSinglePartition();
    if (cut || !table.orderByExpressions().isEmpty()) {
      throw SqlErrors.tableArgumentPartitioned(function, name);
    }
    if (!table.outerAttrs().isEmpty()) {
      throw SqlErrors.tableArgumentCorrelated(function, name);
    }
    return new TableArgument(name, table.plan());
  }

  private Optional<Object> constant(String name) {
    Optional<Object> constant =
        Optional.ofNullable(byName.get(name))
            .flatMap(value -> ConstantArguments.value(function, name, value));
    if (constant.isEmpty() && byName.containsKey(name) && NOT_NULL.contains(name)) {
      throw SqlErrors.nullConstant(function, name);
    }
    return constant;
  }

  /** Returns a string constant, such as the name of a policy. */
  Optional<String> word(String name) {
    return constant(name).map(value -> as(String.class, name, value, "a string"));
  }

  Optional<Boolean> flag(String name) {
    return constant(name).map(value -> as(Boolean.class, name, value, "true or false"));
  }

  Optional<Integer> integer(String name) {
    return constant(name).map(value -> integer(name, value));
  }

  private int integer(String name, Object value) {
    long number = isInteger(value) ? ((Number) value).longValue() : Long.MAX_VALUE;
    if (number != (int) number) {
      throw SqlErrors.wrongConstant(function, name, value, "an integer");
    }
    return (int) number;
  }

  private static boolean isInteger(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte;
  }

  /** Returns a number, boolean or string; {@code struct<re, im>} becomes a complex number. */
  Optional<Object> element(String name) {
    return constant(name).map(FunctionArguments::element);
  }

  private static Object element(Object value) {
    return value instanceof Row struct
            && struct.length() == 2
            && SqlTypes.areParts(struct.schema())
            && struct.get(0) instanceof Number real
            && struct.get(1) instanceof Number imaginary
        ? new Complex(real.doubleValue(), imaginary.doubleValue())
        : value;
  }

  Optional<Shape> shape(String name) {
    return constant(name).map(value -> Shape.of(dims(name, value)));
  }

  private long[] dims(String name, Object value) {
    List<?> dims = as(List.class, name, value, "an array of integers, such as array(1000000, 64)");
    long[] sizes = new long[dims.size()];
    for (int i = 0; i < sizes.length; i++) {
      Object dim = dims.get(i);
      if (!isInteger(dim)) {
        throw SqlErrors.wrongConstant(
            function, name, value, "an array of integers, such as array(1000000, 64)");
      }
      sizes[i] = ((Number) dim).longValue();
    }
    return sizes;
  }

  /** Returns one column name, or an array of them, as a list. */
  Optional<List<String>> columns(String name) {
    return constant(name)
        .map(value -> value instanceof List<?> list ? list : List.of(value))
        .map(list -> list.stream().map(column -> columnName(name, column)).toList());
  }

  private String columnName(String name, Object column) {
    return as(String.class, name, column, "names of columns");
  }

  Optional<DType> dtype(String name) {
    return word(name).map(DType::named);
  }

  private <T> T as(Class<T> type, String name, Object value, String wanted) {
    if (!type.isInstance(value)) {
      throw SqlErrors.wrongConstant(function, name, value, wanted);
    }
    return type.cast(value);
  }
}
