/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.InvalidElementException;

/** Reads the values of a page in order. */
interface PageDecoder {

  void skip(int count);

  /**
   * Reads {@code count} values to every {@code stride}th unit of {@code target}, starting at {@code
   * at}.
   *
   * @throws InvalidElementException if a value is not valid for the dtype
   */
  void read(int count, Object target, int at, int stride);
}
