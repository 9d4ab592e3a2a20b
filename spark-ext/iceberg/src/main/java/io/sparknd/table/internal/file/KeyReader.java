/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import java.util.stream.IntStream;
import org.apache.parquet.column.page.PageReadStore;

/** Reads the keys of some rows of a row group, in ascending order of the rows. */
final class KeyReader {
  private final KeyColumnReader[] columns;

  KeyReader(RowGroupReader group, KeyCodec codec, PageReadStore pages) {
    this.columns =
        IntStream.range(0, codec.columns().size())
            .mapToObj(i -> new KeyColumnReader(group, codec, i, pages))
            .toArray(KeyColumnReader[]::new);
  }

  /** Appends the key of a row. */
  void append(long row, KeyList keys) {
    for (KeyColumnReader column : columns) {
      column.append(row, keys);
    }
    KeyCodec.end(keys);
  }
}
