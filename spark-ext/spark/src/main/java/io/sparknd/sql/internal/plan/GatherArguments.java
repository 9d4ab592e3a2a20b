/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.op.Gather;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The arguments of {@code gather_nd} and {@code gather_nd_as_of} beside their tables and columns.
 *
 * @param batchDims number of leading index columns that are batch coordinates
 * @param valueColumns variables of a table with keys; empty for all
 * @param found name of a column that says whether the key of each row is in the table; empty for no
 *     such column
 * @param asOf the times of rows; empty for {@code gather_nd}
 */
public record GatherArguments(
    Gather how,
    int batchDims,
    List<String> valueColumns,
    Optional<String> found,
    Optional<AsOf> asOf) {
  public GatherArguments {
    valueColumns = List.copyOf(valueColumns);
  }

  /** Returns the arguments of {@code gather_nd} without options for tables with keys. */
  public static GatherArguments of(Gather how) {
    return new GatherArguments(how, 0, List.of(), Optional.empty(), Optional.empty());
  }

  public GatherArguments with(Gather other) {
    return new GatherArguments(other, batchDims, valueColumns, found, asOf);
  }

  public GatherArguments withBatchDims(int dims) {
    return new GatherArguments(how, dims, valueColumns, found, asOf);
  }

  public GatherArguments withValueColumns(List<String> columns) {
    return new GatherArguments(how, batchDims, columns, found, asOf);
  }

  public GatherArguments withFound(Optional<String> column) {
    return new GatherArguments(how, batchDims, valueColumns, column, asOf);
  }

  /** Returns the arguments of {@code gather_nd_as_of}. */
  GatherArguments at(AsOf times) {
    return new GatherArguments(how, batchDims, valueColumns, found, Optional.of(times));
  }

  /** Returns the variables to gather; none for all. */
  List<String> variables(Optional<String> valueColumn) {
    return Stream.concat(valueColumn.stream(), valueColumns.stream()).distinct().toList();
  }
}
