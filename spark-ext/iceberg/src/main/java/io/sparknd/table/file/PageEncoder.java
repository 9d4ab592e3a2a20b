/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;

/** Gathers the values of one page of a column. */
interface PageEncoder {

  /** How many rows the page still takes. */
  int room();

  /**
   * Appends rows that follow one another in {@code source}, the first value being at {@code at}.
   */
  void append(Object source, int at, int rows);

  /** Rows appended since the last {@link #finish}. */
  int rows();

  /** Bytes appended since then. */
  long bytes();

  /** The page's values, without levels. The encoder then begins the next page. */
  Values finish();

  /**
   * @param statistics null where the column has none
   */
  record Values(BytesInput bytes, Encoding encoding, Statistics<?> statistics) {}
}
