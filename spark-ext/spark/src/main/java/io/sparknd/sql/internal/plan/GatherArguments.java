/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Gather;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The arguments of {@code gather_nd} beside its tables and their columns.
 *
 * @param batchDims number of leading index columns that are batch coordinates
 * @param valueColumns variables of a table with keys; empty for all
 */
public record GatherArguments(Gather how, int batchDims, List<String> valueColumns) {
  public GatherArguments {
    valueColumns = List.copyOf(valueColumns);
  }

  /** Returns the variables to gather; none for all. */
  List<String> variables(Optional<String> valueColumn) {
    return Stream.concat(valueColumn.stream(), valueColumns.stream()).distinct().toList();
  }
}
