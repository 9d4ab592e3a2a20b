/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.table.internal.file.IcebergParquet;
import java.io.IOException;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.spark.data.SparkParquetWriters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one task of an epoch to a file beside the table's data. */
final class StagedRowsWriter implements DataWriter<InternalRow> {
  private final Table table;
  private final StagedRows rows;
  private final OutputFileFactory names;
  private @Nullable FileAppender<InternalRow> file;
  private String location = "";
  private long bytes;

  StagedRowsWriter(Table table, StagedRows rows, int partition, long task) {
    this.table = table;
    this.rows = rows;
    this.names = rows.newFiles(table, partition, task);
  }

  @Override
  public void write(InternalRow row) throws IOException {
    FileAppender<InternalRow> open = file;
    if (open == null) {
      open = open();
      file = open;
    }
    open.add(row);
    bytes += InternalRows.bytes(row, rows.columns());
  }

  private FileAppender<InternalRow> open() throws IOException {
    OutputFile output = names.newOutputFile().encryptingOutputFile();
    FileAppender<InternalRow> created =
        IcebergParquet.write(output)
            .schema(rows.schema())
            .set("write.parquet.compression-codec", "zstd")
            .createWriterFunc(type -> SparkParquetWriters.buildWriter(rows.columns(), type))
            .build();
    location = output.location(); // abort deletes no file that this writer did not create
    return created;
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    close();
    return new StagedRowsFile(location, bytes);
  }

  @Override
  public void abort() throws IOException {
    try {
      close();
    } finally { // on a full disk, the file cannot be completed
      if (!location.isEmpty()) {
        table.io().deleteFile(location);
      }
    }
  }

  @Override
  public void close() throws IOException {
    FileAppender<InternalRow> open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
