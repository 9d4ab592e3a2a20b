/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The columns that a gather adds to rows.
 *
 * @param columns columns of the table, and windows
 * @param found name of a last column that says whether the key of each row is in the table
 */
public record GatherOutput<C extends GatheredColumn>(List<C> columns, Optional<String> found) {
  public GatherOutput {
    columns = List.copyOf(columns);
  }

  /**
   * Checks that rows do not have these columns yet, and that {@code found} is another one.
   *
   * @throws io.sparknd.tensor.SparkNdException if a name is taken
   */
  public void requireFree(Dataset<Row> rows, ColumnNameMatcher matcher) {
    List<String> taken = new ArrayList<>(Arrays.asList(rows.columns()));
    for (GatheredColumn column : columns) {
      requireFree(taken, column.name(), matcher);
    }
    columns.forEach(column -> taken.add(column.name()));
    found.ifPresent(name -> requireFree(taken, name, matcher));
  }

  private static void requireFree(List<String> taken, String name, ColumnNameMatcher matcher) {
    if (matcher.contains(taken, name)) {
      throw ClusterErrors.columnTaken(name);
    }
  }
}
