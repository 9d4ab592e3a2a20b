/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.adoption;

import static org.apache.spark.sql.functions.any_value;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import io.sparknd.cluster.internal.spark.SqlNames;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Rows that a table must not have.
 *
 * @param problem what is wrong
 * @param rows number of such rows, or of keys that several rows have
 * @param example key or index of one of them, as JSON
 */
public record RowProblem(String problem, long rows, String example) {

  /**
   * Returns the problem that rows are.
   *
   * @param identity columns that identify a row
   * @return empty if there is no row
   */
  static Optional<RowProblem> of(String problem, Dataset<Row> rows, List<String> identity) {
    Column example = to_json(struct(columns(identity)));
    Row counted = rows.agg(count(lit(1)), any_value(example)).head();
    return counted.getLong(0) == 0
        ? Optional.empty()
        : Optional.of(new RowProblem(problem, counted.getLong(0), counted.getString(1)));
  }

  /** Returns columns by their names as they are, without the meaning that SQL gives to dots. */
  static Column[] columns(List<String> names) {
    return names.stream().map(SqlNames::column).toArray(Column[]::new);
  }
}
