/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;

/** Finds the column that makes a row group unreadable: Parquet's own errors do not name it. */
public final class DamagedColumn {
  private DamagedColumn() {}

  /**
   * The name of the first of {@code columns} that cannot be read by itself; empty if each can.
   *
   * @param group ordinal among the reader's row groups
   */
  public static Optional<String> of(
      ParquetFileReader reader, int group, List<ColumnDescriptor> columns) {
    for (ColumnDescriptor column : columns) {
      reader.setRequestedSchema(List.of(column));
      try (PageReadStore pages = reader.readRowGroup(group)) {
        pages.getRowCount();
      } catch (IOException | RuntimeException e) {
        return Optional.of(name(column));
      }
    }
    return Optional.empty();
  }

  /** The table's column. */
  public static String name(ColumnDescriptor column) {
    return column.getPath()[0];
  }
}
