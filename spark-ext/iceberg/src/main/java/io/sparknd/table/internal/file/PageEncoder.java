/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/** Encodes the values of a column, one page at a time. */
interface PageEncoder {

  /** Returns how many rows the current page can still take. */
  int room();

  /** Appends consecutive rows of {@code source}; the first value is at {@code at}. */
  void append(Object source, int at, int rows);

  /** Returns the number of rows appended since the last {@link #finish}. */
  int rows();

  /** Returns the bytes appended since the last {@link #finish}. */
  long bytes();

  /** Returns the page's values, without levels, and begins the next page. */
  Values finish();

  /**
   * The encoded values of a page.
   *
   * @param statistics null if the column has none
   */
  record Values(BytesInput bytes, Encoding encoding, @Nullable Statistics<?> statistics) {}
}
