/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.internal.rows.RowTile;
import java.io.Closeable;
import java.io.IOException;

/** Writes rows to files of one format. {@link #close} releases the files, complete or not. */
interface RowWriter extends Closeable {
  void append(RowTile tile) throws IOException;

  /** Completes the files after the last row. */
  void finish() throws IOException;
}
