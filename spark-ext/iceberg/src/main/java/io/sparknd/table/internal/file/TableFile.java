/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.SparkNdException;
import org.apache.iceberg.io.InputFile;

/**
 * A data file or delete file that is read.
 *
 * @param table name of its table
 */
public record TableFile(String table, InputFile input) {

  public String location() {
    return input.location();
  }

  /** Returns whether the storage says that it does not have the file. */
  public boolean isMissing() {
    try {
      return !input.exists();
    } catch (RuntimeException e) { // such as without the right to ask
      return false;
    }
  }

  /** Returns the error of a failed read. */
  public SparkNdException failure(Throwable cause) {
    return isMissing()
        ? TableErrors.missingTableFile(location(), table, cause)
        : TableErrors.unreadableTableFile(location(), cause);
  }
}
