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

/** Reads a row group; errors name the column whose pages are damaged. */
public record RowGroupReader(
    String file, ParquetFileReader reader, int ordinal, List<ColumnDescriptor> columns) {

  /** A read of the pages of a row group. */
  public interface Pages {
    PageReadStore read() throws IOException;
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
      throw ParquetErrors.damagedPages(file, DamagedColumnFinder.name(column), ordinal, e);
    }
  }
}
