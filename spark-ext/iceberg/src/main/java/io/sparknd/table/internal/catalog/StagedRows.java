/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.store.TableFileNames;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.UUID;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.data.SparkParquetReaders;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The files that hold the rows of an epoch until they are scattered. They have the names of the
 * table's other files, so that those which a killed query leaves behind are found as orphans.
 *
 * @param columns columns of the rows that are written
 */
record StagedRows(StructType columns) implements Serializable {

  /**
   * Returns the files of a streaming query.
   *
   * @param table the table's name, for messages
   * @throws io.sparknd.tensor.SparkNdException if files cannot hold a column, or two have one name
   */
  static StagedRows of(String table, StructType columns) {
    ColumnNameMatcher names = ColumnNameMatcher.in(SparkSession.active());
    for (StructField column : columns.fields()) {
      names.ordinal(columns.fieldNames(), column.name());
      try {
        SparkSchemaUtil.convert(column.dataType());
      } catch (UnsupportedOperationException e) {
        throw CatalogErrors.streamColumn(table, column.name(), column.dataType().simpleString());
      }
    }
    return new StagedRows(columns);
  }

  Schema schema() {
    return SparkSchemaUtil.convert(columns);
  }

  /** Returns the columns of the rows that are read: Iceberg has no integers of 8 or 16 bits. */
  StructType stored() {
    return SparkSchemaUtil.convert(schema());
  }

  /** Returns names that no other writer has, also of the same task. */
  OutputFileFactory newFiles(Table table, int partition, long task) {
    String operation = UUID.randomUUID().toString();
    return TableFileNames.newFiles(table, partition, task, operation, FileFormat.PARQUET);
  }

  /** Returns the rows of a file, in their order. */
  Iterator<InternalRow> read(Table table, String location) {
    CloseableIterator<InternalRow> rows =
        Parquet.read(table.io().newInputFile(location))
            .project(schema())
            .createReaderFunc(type -> SparkParquetReaders.buildReader(schema(), type))
            .<InternalRow>build()
            .iterator();
    TaskContext.get().addTaskCompletionListener((TaskCompletionListener) done -> close(rows));
    return rows;
  }

  private static void close(CloseableIterator<InternalRow> rows) {
    try {
      rows.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
