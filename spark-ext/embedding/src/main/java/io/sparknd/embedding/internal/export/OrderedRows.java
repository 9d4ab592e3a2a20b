/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.internal.rows.RowTile;
import java.io.IOException;

/** The rows of a table on the driver, a few at a time, in ascending order of their ids. */
public sealed interface OrderedRows permits NumberedTableRows, WrittenTableRows {
  /** Receives rows. Arrays are valid until it returns. */
  interface Consumer {
    void accept(RowTile tile) throws IOException;
  }

  /** Returns the number of rows. */
  long count();

  int dim();

  /** Returns whether ids are keys; otherwise they are the numbers of rows. */
  boolean isKeyed();

  /** Passes all rows to {@code consumer}. Runs jobs. */
  void forEach(Consumer consumer) throws IOException;
}
