/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

/** How the columns of a tensor's table hold the slice of a row. */
public enum ValueLayout {
  /** One column of arrays nested as deep as the slice, or of scalars: any engine reads it. */
  ARRAY,
  /**
   * One binary column of the slice's elements, row-major and little-endian: the fastest. Not for
   * strings.
   */
  BINARY,
  /** A named column of scalars for each element of a slice of rank 1: a table of features. */
  COLUMNS
}
