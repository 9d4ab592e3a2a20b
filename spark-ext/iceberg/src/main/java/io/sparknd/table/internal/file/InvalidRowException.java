/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.tensor.SparkNdException;
import java.util.function.Function;

/**
 * Signals a row that is not a valid slice; the error is created once the row's index has been
 * looked up.
 */
final class InvalidRowException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long row;
  private final transient Function<String, SparkNdException> error;

  /**
   * Creates an exception without message and stack trace.
   *
   * @param row row number in the file
   * @param error creates the error from the row's name
   */
  InvalidRowException(long row, Function<String, SparkNdException> error) {
    super(null, null, false, false);
    this.row = row;
    this.error = error;
  }

  long row() {
    return row;
  }

  SparkNdException named(String name) {
    return error.apply(name);
  }
}
