/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.adoption;

import static io.sparknd.cluster.internal.spark.SqlNames.column;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;

import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.feature.FeatureAxis;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.feature.FillValues;
import io.sparknd.table.internal.key.KeyColumn;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Finds rows that are invalid in a feature table.
 *
 * @param rows rows as Iceberg reads them
 */
public record FeatureProblems(FeatureFormat format, Dataset<Row> rows) {
  /** Internal column name, reserved by a prefix. */
  private static final String COUNT = "__sparknd_count";

  /** Finds all problems; a Spark job for each kind of problem, as the stream goes on. */
  public Stream<RowProblem> find() {
    Stream<Supplier<Optional<RowProblem>>> checks =
        Stream.concat(
            Stream.of(this::nullKeys, this::outOfBounds, this::repeated),
            format.variables().stream()
                .flatMap(
                    variable ->
                        Stream.<Supplier<Optional<RowProblem>>>of(
                            () -> partial(variable), () -> stateless(variable))));
    return checks.flatMap(check -> check.get().stream());
  }

  private List<String> key() {
    return format.axis().columns().stream().map(KeyColumn::name).toList();
  }

  private Optional<RowProblem> problem(String problem, Dataset<Row> some) {
    return RowProblem.of(problem, some, key());
  }

  private Column hasNullKey() {
    return key().stream().map(name -> column(name).isNull()).reduce(lit(false), Column::or);
  }

  private Optional<RowProblem> nullKeys() {
    return problem("null key", rows.where(hasNullKey()));
  }

  private Optional<RowProblem> outOfBounds() {
    if (!(format.axis() instanceof FeatureAxis.Numbered numbered)) {
      return Optional.empty();
    }
    Column number = column(key().get(0));
    return problem("key out of bounds", rows.where(number.lt(0).or(number.geq(numbered.size()))));
  }

  private Optional<RowProblem> repeated() {
    Dataset<Row> repeated =
        rows.where(not(hasNullKey()))
            .groupBy(RowProblem.columns(key()))
            .agg(count(lit(1)).as(COUNT))
            .where(column(COUNT).gt(1));
    return problem("key in more than one row", repeated);
  }

  /** Finds values that are not slices of the variable's shape. */
  private Optional<RowProblem> partial(FeatureColumn variable) {
    if (!(variable.type() instanceof CellType.Elements elements)
        || elements.shape().rank() == 0 && !elements.isBinary()) {
      return Optional.empty();
    }
    Column value = column(variable.name());
    long bytes = elements.shape().elements() * elements.dtype().bytes();
    Column isWhole = SliceConditions.isWhole(value, elements.sql(), elements.shape(), bytes);
    return problem("length of " + variable.name(), rows.where(value.isNotNull().and(not(isWhole))));
  }

  /** Finds values whose state is NULL or missing: the next update would ignore such a value. */
  private Optional<RowProblem> stateless(FeatureColumn variable) {
    if (variable.state().isEmpty()) {
      return Optional.empty();
    }
    List<String> present = Arrays.asList(rows.columns());
    Column lacksState =
        variable.state().stream()
            .map(state -> present.contains(state) ? column(state).isNull() : lit(true))
            .reduce(lit(false), Column::or);
    Column value = column(variable.name());
    // a row that others of its variables were updated in has the fill value without a state
    Column isLost =
        variable
            .fill()
            .map(fill -> value.notEqual(FillValues.column(variable, fill)))
            .orElse(value.isNotNull());
    return problem(
        "value of " + variable.name() + " without " + String.join(", ", variable.state()),
        rows.where(isLost.and(lacksState)));
  }
}
