/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.RepetitionPattern;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;

/**
 * A Parquet column and the units of its values in a row: the j-th is at {@code firstUnit + j *
 * stride}.
 *
 * @param name the table's column
 * @param emptyLevels definition levels that represent an empty list
 */
record LeafColumn(
    ColumnDescriptor column,
    String name,
    RepetitionPattern pattern,
    ValueKind kind,
    Set<Integer> emptyLevels,
    int firstUnit,
    int stride) {

  /** Returns the number of values in one row. */
  int elements() {
    return pattern.length();
  }
}
