/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.adoption;

import static io.sparknd.cluster.internal.spark.SqlNames.column;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;

import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Finds rows that make a table invalid as a tensor.
 *
 * @param rows rows as any engine reads them
 * @param indexColumns names of the index columns, outermost dimension first
 * @param outer shape of the index columns, {@code shape[:k]}
 * @param isWhole condition of rows that have a complete slice
 */
public record TensorProblems(
    Dataset<Row> rows, List<String> indexColumns, Shape outer, Column isWhole) {
  /** Internal column name, reserved by a prefix. */
  private static final String COUNT = "__sparknd_count";

  /** Finds all problems; a Spark job for each kind of problem, as the stream goes on. */
  public Stream<RowProblem> find() {
    Stream<Supplier<Optional<RowProblem>>> checks =
        Stream.of(
            () -> problem("null index", rows.where(anyNull())),
            () -> problem("index out of bounds", rows.where(not(anyNull()).and(not(inBounds())))),
            () -> problem("null or length of value", rows.where(not(isWhole))),
            () -> problem("slice named more than once", repeated()));
    return checks.flatMap(check -> check.get().stream());
  }

  private Optional<RowProblem> problem(String problem, Dataset<Row> some) {
    return RowProblem.of(problem, some, indexColumns);
  }

  private Dataset<Row> repeated() {
    return rows.groupBy(RowProblem.columns(indexColumns))
        .agg(count(lit(1)).as(COUNT))
        .where(column(COUNT).gt(1));
  }

  private Column anyNull() {
    return indexColumns.stream().map(name -> column(name).isNull()).reduce(lit(false), Column::or);
  }

  private Column inBounds() {
    Column all = lit(true);
    for (int d = 0; d < indexColumns.size(); d++) {
      Column index = column(indexColumns.get(d));
      all = all.and(index.geq(0)).and(index.lt(outer.dim(d)));
    }
    return all;
  }
}
