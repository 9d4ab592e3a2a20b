/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.IOException;
import java.util.List;
import org.apache.iceberg.MetadataColumns;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the columns of row lineage of a file.
 *
 * @param rows number of rows in the file
 */
record LineageColumns(String file, ParquetFileReader reader, int rows) {

  /**
   * Returns the lineage of all rows as stored in the file, in file order.
   *
   * @return {@link RowLineage#INHERITED} for values that the file does not have
   */
  RowLineage read() throws IOException {
    RowLineage all = RowLineage.inherited(rows);
    long[] ids = read(MetadataColumns.ROW_ID.fieldId());
    long[] sequences = read(MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER.fieldId());
    return new RowLineage(
        ids == null ? all.ids() : ids, sequences == null ? all.sequences() : sequences);
  }

  /** Returns a column by its field id, which every engine writes; null if the file has none. */
  private long @Nullable [] read(int fieldId) throws IOException {
    ColumnDescriptor column = column(fieldId);
    if (column == null) {
      return null;
    }
    reader.setRequestedSchema(List.of(column));
    LineageColumnReader values = new LineageColumnReader(column, rows);
    for (int i = 0; i < reader.getRowGroups().size(); i++) {
      if (reader.getRowGroups().get(i).getRowCount() > 0) {
        RowGroupReader group = new RowGroupReader(file, reader, i, List.of(column));
        try (PageReadStore pages = group.pages(() -> reader.readRowGroup(group.ordinal()))) {
          group.decode(column, () -> values.read(pages));
        }
      }
    }
    return values.values();
  }

  private @Nullable ColumnDescriptor column(int fieldId) {
    return reader.getFileMetaData().getSchema().getColumns().stream()
        .filter(column -> column.getPath().length == 1)
        .filter(
            column ->
                column.getPrimitiveType().getId() != null
                    && column.getPrimitiveType().getId().intValue() == fieldId)
        .findFirst()
        .orElse(null);
  }
}
