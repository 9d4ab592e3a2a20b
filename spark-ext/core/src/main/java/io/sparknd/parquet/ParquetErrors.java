/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import static io.sparknd.tensor.ErrorCondition.INVALID_TABLE_FILE;
import static io.sparknd.tensor.ErrorFactory.failedFile;
import static io.sparknd.tensor.ErrorFactory.reason;

import io.sparknd.tensor.SparkNdException;

/** Errors of Parquet pages. */
public final class ParquetErrors {
  private ParquetErrors() {}

  public static SparkNdException damagedPages(
      String file, String column, int group, Throwable cause) {
    return failedFile(
        cause,
        INVALID_TABLE_FILE.sub("DAMAGED_PAGES"),
        "<file>: column <column> of row group <group> cannot be read: <reason>; if the file is damaged, restore it or"
            + " roll the table back",
        file,
        column,
        group,
        reason(cause));
  }
}
