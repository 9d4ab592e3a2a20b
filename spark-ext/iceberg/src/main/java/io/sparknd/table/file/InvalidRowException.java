/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import io.sparknd.tensor.SparkNdException;
import java.util.function.Function;

/** A row that is no slice; the error is made once the row's index has been looked up. */
final class InvalidRowException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long row;
  private final transient Function<String, SparkNdException> error;

  /**
   * @param row in the file
   * @param error by what the row is called
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
