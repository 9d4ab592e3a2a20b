/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.parquet.column.page.PageReadStore;
import org.jspecify.annotations.Nullable;

/** Reads the keys of some rows of a row group, in ascending order of the rows. */
final class KeyReader {
  private final KeyColumnReader[] columns;
  private final KeyColumnReader[] nullable;

  KeyReader(RowGroupReader group, KeyCodec codec, PageReadStore pages) {
    this.columns =
        IntStream.range(0, codec.columns().size())
            .mapToObj(i -> new KeyColumnReader(group, codec, i, pages))
            .toArray(KeyColumnReader[]::new);
    this.nullable =
        Arrays.stream(columns)
            .filter(KeyColumnReader::mayHaveNulls)
            .toArray(KeyColumnReader[]::new);
  }

  /** Returns the name of a column of the key that is NULL in a row, or null if none is. */
  @Nullable String nullColumn(long row) {
    for (KeyColumnReader column : nullable) {
      if (column.isNull(row)) {
        return column.name();
      }
    }
    return null;
  }

  /** Appends the key of a row, in which no column is NULL. */
  void append(long row, KeyList keys) {
    for (KeyColumnReader column : columns) {
      column.append(row, keys);
    }
    KeyCodec.end(keys);
  }
}
