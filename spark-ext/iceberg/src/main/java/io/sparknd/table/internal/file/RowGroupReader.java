/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.DamagedColumnFinder;
import io.sparknd.parquet.ParquetErrors;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.jspecify.annotations.Nullable;

/** Reads a row group; errors name the column whose pages are damaged. */
public record RowGroupReader(
    String file, ParquetFileReader reader, int ordinal, List<ColumnDescriptor> columns) {

  /** A read of the pages of a row group. */
  public interface Pages {
    PageReadStore read() throws IOException;
  }

  /** Returns the number of rows. */
  long rows() {
    return reader.getRowGroups().get(ordinal).getRowCount();
  }

  /** Returns whether a column may have NULLs here: its footer does not say that it has none. */
  boolean mayHaveNulls(ColumnDescriptor column) {
    if (column.getMaxDefinitionLevel() == 0) {
      return false;
    }
    ColumnPath path = ColumnPath.get(column.getPath());
    return reader.getRowGroups().get(ordinal).getColumns().stream()
        .filter(chunk -> chunk.getPath().equals(path))
        .map(ColumnChunkMetaData::getStatistics)
        .noneMatch(statistics -> statistics.isNumNullsSet() && statistics.getNumNulls() == 0);
  }

  /**
   * Reads the pages of all columns.
   *
   * @param some only pages with these rows; null for all
   */
  PageReadStore pages(@Nullable RowRanges some) throws IOException {
    return pages(
        () ->
            some == null
                ? reader.readRowGroup(ordinal)
                : reader.readFilteredRowGroup(ordinal, some));
  }

  /** Reads the pages of all columns. */
  public PageReadStore pages(Pages pages) throws IOException {
    try {
      return pages.read();
    } catch (IOException | RuntimeException e) {
      String column =
          DamagedColumnFinder.of(reader, ordinal, columns).orElse(null); // null: no damaged pages
      if (column != null) {
        throw ParquetErrors.damagedPages(file, column, ordinal, e);
      }
      throw e;
    }
  }

  /** Decodes the pages of one column. */
  public void decode(ColumnDescriptor column, Runnable decoding) {
    try {
      decoding.run();
    } catch (InvalidRowException | SparkNdException e) {
      throw e;
    } catch (RuntimeException e) {
      throw damaged(column, e);
    }
  }

  /** Returns the error of pages of a column that cannot be decoded. */
  SparkNdException damaged(ColumnDescriptor column, RuntimeException e) {
    return ParquetErrors.damagedPages(file, DamagedColumnFinder.name(column), ordinal, e);
  }
}
