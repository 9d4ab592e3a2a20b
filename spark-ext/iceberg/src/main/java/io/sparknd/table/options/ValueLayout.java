/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import io.sparknd.op.OperatorErrors;
import io.sparknd.table.internal.file.ValueColumns;
import java.util.Arrays;

/** How the columns of a tensor table store a row's slice. */
public enum ValueLayout {
  /** One column of arrays nested as deep as the slice, or of scalars; any engine can read it. */
  ARRAY,
  /**
   * One binary column with the slice's elements, row-major and little-endian. It is the fastest
   * layout, but does not support strings.
   */
  BINARY,
  /** A named scalar column for each element of a slice of rank 1: a table of features. */
  COLUMNS;

  /**
   * Returns the layout of this name: {@code array}, {@code binary} or {@code columns}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static ValueLayout named(String name) {
    return Arrays.stream(values())
        .filter(layout -> layout.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> OperatorErrors.unknownValue("layout", name, "array, binary, columns"));
  }

  public static ValueLayout of(ValueColumns columns) {
    if (columns instanceof ValueColumns.ArrayColumn) {
      return ARRAY;
    }
    return columns instanceof ValueColumns.BinaryColumn ? BINARY : COLUMNS;
  }
}
