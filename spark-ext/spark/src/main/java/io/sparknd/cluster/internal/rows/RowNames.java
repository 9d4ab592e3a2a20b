/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.scan.PlannedRows;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Names of a Dataset's rows and index columns for messages.
 *
 * @param rows such as {@code " of updates (table lake.events)"}; empty if there is no name
 */
record RowNames(String rows, List<String> columns) implements Serializable {

  /**
   * @param ordinals positions of the index columns
   */
  static RowNames of(StructType schema, List<Integer> ordinals) {
    List<StructField> indices = ordinals.stream().map(schema::apply).toList();
    String rows = PlannedRows.rowsOf(indices, schema).map(name -> " of " + name).orElse("");
    return new RowNames(rows, indices.stream().map(PlannedRows::nameOf).toList());
  }

  /** Returns the name of row {@code row} of a partition. */
  String row(int partition, long row) {
    return "row " + row + " of partition " + partition + rows;
  }
}
