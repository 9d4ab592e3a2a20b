/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.procedure;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.ElementText;
import io.sparknd.tensor.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.Row;

/**
 * One call of a procedure.
 *
 * @param values of its parameters, by name
 */
public record ProcedureCall(String procedure, Row values) {

  private <T> Optional<T> value(String name, Class<T> type) {
    return Optional.ofNullable(values.<Object>getAs(name)).map(type::cast);
  }

  public Optional<String> string(String name) {
    return value(name, String.class);
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if the argument is NULL
   */
  public String required(String name) {
    return string(name).orElseThrow(() -> SqlErrors.argumentMissing(procedure, name));
  }

  private Optional<ProcedureArgument> argument(String name) {
    return position(name).map(at -> new ProcedureArgument(procedure, name, values.get(at)));
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if the argument is not a bigint
   */
  public Optional<Long> integer(String name) {
    return argument(name).map(ProcedureArgument::integer);
  }

  /** Returns a boolean argument; false if it is NULL. */
  public boolean flag(String name) {
    return flagIfGiven(name).orElse(false);
  }

  public Optional<Boolean> flagIfGiven(String name) {
    return argument(name).map(ProcedureArgument::flag);
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if the argument is a text that is no number
   */
  public Optional<Double> number(String name) {
    return argument(name).map(ProcedureArgument::number);
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if an element is NULL or is not a bigint
   */
  public Optional<Shape> shape() {
    return position("shape")
        .map(at -> new ProcedureArgument(procedure, "shape", values.getList(at)))
        .map(dims -> Shape.of(dims.integers()));
  }

  private Optional<Integer> position(String name) {
    int at = values.fieldIndex(name);
    return values.isNullAt(at) ? Optional.empty() : Optional.of(at);
  }

  /** Returns one name, or an array of them, as a list. */
  public Optional<List<String>> columns(String name) {
    return position(name)
        .map(
            at -> {
              List<String> names =
                  values.get(at) instanceof String one ? List.of(one) : values.getList(at);
              if (names.stream().anyMatch(Objects::isNull)) {
                throw SqlErrors.nullInTensor(name);
              }
              return names;
            });
  }

  public Map<String, String> texts(String name) {
    Map<String, String> texts = new HashMap<>();
    position(name).ifPresent(at -> values.<String, String>getJavaMap(at).forEach(texts::put));
    return texts;
  }

  /**
   * Returns an element of a tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if a text is not a value of the dtype
   */
  public Optional<Object> element(String name, DType dtype) {
    return position(name)
        .map(
            at -> {
              Object value = values.get(at);
              if (value instanceof Row parts) {
                if (!SqlTypes.areParts(parts.schema())) {
                  throw SqlErrors.wrongConstant(
                      procedure, name, parts, "a number, or a complex one as struct<re, im>");
                }
                return new Complex(
                    ((Number) parts.get(0)).doubleValue(), ((Number) parts.get(1)).doubleValue());
              }
              return value instanceof String text ? ElementText.parse(dtype, text) : value;
            });
  }

  /**
   * Returns elements by name, parsed from text.
   *
   * @throws io.sparknd.tensor.SparkNdException if one is NULL, or is not a value of the dtype
   */
  public Map<String, Object> elements(String name, DType dtype) {
    Map<String, Object> elements = new HashMap<>();
    texts(name)
        .forEach(
            (key, text) -> {
              if (text == null) {
                throw SqlErrors.nullInTensor(name);
              }
              elements.put(key, ElementText.parse(dtype, text));
            });
    return elements;
  }

  /** Returns an interval. */
  public Optional<Duration> interval(String name) {
    return value(name, Duration.class);
  }

  /**
   * Returns a time.
   *
   * @throws io.sparknd.tensor.SparkNdException if a text is no time
   */
  public Optional<Instant> time(String name) {
    return argument(name).map(ProcedureArgument::time);
  }

  /**
   * Returns what follows from a time or an age, whichever was given.
   *
   * @throws io.sparknd.tensor.SparkNdException if a text is no time
   */
  public <T> Optional<T> timeOrAge(
      String name, Function<Instant, T> ofTime, Function<Duration, T> ofAge) {
    return argument(name)
        .map(
            given ->
                given.value() instanceof Duration age
                    ? ofAge.apply(age)
                    : ofTime.apply(given.time()));
  }

  /**
   * Returns the policy for negative and out-of-bounds indices. Without one for negative indices,
   * {@code bad_indices => 'ignore'} drops them too.
   */
  public IndexPolicy indices() {
    BadIndices bad = string("bad_indices").map(BadIndices::named).orElse(BadIndices.ERROR);
    return string("negative")
        .map(negative -> new IndexPolicy(bad, NegativeIndices.named(negative)))
        .orElseGet(() -> IndexPolicy.STRICT.withBad(bad));
  }

  public Duplicates duplicates() {
    return string("duplicates").map(Duplicates::named).orElse(Duplicates.IN_ORDER);
  }
}
