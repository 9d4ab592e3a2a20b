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
 * @param asOf the times of rows; empty for {@code gather_nd}
 */
public record GatherArguments(
    Gather how, int batchDims, List<String> valueColumns, Optional<AsOf> asOf) {
  public GatherArguments {
    valueColumns = List.copyOf(valueColumns);
  }

  /** Returns the arguments of {@code gather_nd}. */
  public GatherArguments(Gather how, int batchDims, List<String> valueColumns) {
    this(how, batchDims, valueColumns, Optional.empty());
  }

  /** Returns the variables to gather; none for all. */
  List<String> variables(Optional<String> valueColumn) {
    return Stream.concat(valueColumn.stream(), valueColumns.stream()).distinct().toList();
  }
}
