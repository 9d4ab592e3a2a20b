/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import io.sparknd.parquet.RowPattern;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;

/**
 * A column of a Parquet file and where its values belong in a row: the j-th of a row is at unit
 * {@code offset + j * stride} of it.
 *
 * @param name the table's column
 * @param emptyLevels definition levels that stand for an empty list
 */
record LeafColumn(
    ColumnDescriptor column,
    String name,
    RowPattern pattern,
    ValueKind kind,
    Set<Integer> emptyLevels,
    int offset,
    int stride) {

  /** Values of one row. */
  int elements() {
    return pattern.length();
  }
}
