/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;

/** Finds the column that makes a row group unreadable; Parquet's own errors do not name it. */
public final class DamagedColumnFinder {
  private DamagedColumnFinder() {}

  /**
   * Returns the name of the first of {@code columns} that is unreadable by itself; empty if none
   * is.
   *
   * @param group the row group's position among the reader's row groups
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

  /** The name of the top-level column that contains {@code column}. */
  public static String name(ColumnDescriptor column) {
    return column.getPath()[0];
  }
}
