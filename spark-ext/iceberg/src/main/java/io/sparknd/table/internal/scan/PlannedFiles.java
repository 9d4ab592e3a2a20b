/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.table.internal.file.TableFile;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.ScanTask;
import org.apache.iceberg.ScanTaskGroup;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.encryption.PlaintextEncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * Files that one task of Spark reads, as Iceberg planned them. Iceberg's partition is not a public
 * class, though its methods are; if it has others than expected, there are no planned files, and
 * Iceberg reads.
 *
 * @param projection the columns to read, with their ids
 */
record PlannedFiles(
    Table table, FileIO io, Schema projection, boolean isCaseSensitive, List<FileScanTask> files) {

  /** Returns the files of a partition; empty if it is not one of files. */
  static Optional<PlannedFiles> of(InputPartition partition) {
    try {
      List<FileScanTask> files = new ArrayList<>();
      for (ScanTask task : ((ScanTaskGroup<?>) call(partition, "taskGroup")).tasks()) {
        if (!(task instanceof FileScanTask file) || file.isDataTask()) {
          return Optional.empty();
        }
        files.add(file);
      }
      return Optional.of(
          new PlannedFiles(
              (Table) call(partition, "table"),
              (FileIO) call(partition, "io"),
              (Schema) call(partition, "projection"),
              (boolean) call(partition, "isCaseSensitive"),
              files));
    } catch (ReflectiveOperationException | ClassCastException e) {
      return Optional.empty();
    }
  }

  private static Object call(InputPartition partition, String name)
      throws ReflectiveOperationException {
    Method method = partition.getClass().getMethod(name);
    method.setAccessible(true); // a public method of a class that is not
    return method.invoke(partition);
  }

  /** Returns the file of a task. */
  TableFile file(FileScanTask task) {
    return new TableFile(table.name(), io.newInputFile(task.file()));
  }

  /** Returns whether the columns and the kinds of files allow to read them here. */
  boolean areReadable() {
    List<Types.NestedField> columns = projection.columns();
    return columns.stream().anyMatch(column -> column.type().isListType())
        && columns.stream().allMatch(PlannedFiles::isReadable)
        && table.encryption() instanceof PlaintextEncryptionManager
        && files.stream().allMatch(PlannedFiles::isReadable);
  }

  private static boolean isReadable(Types.NestedField column) {
    return !MetadataColumns.isMetadataColumn(column.fieldId())
        && VectorColumn.isReadable(column.type());
  }

  private static boolean isReadable(FileScanTask task) {
    return task.file().format() == FileFormat.PARQUET
        && task.file().keyMetadata() == null
        && task.deletes().stream()
            .allMatch(
                deletes ->
                    deletes.content() == FileContent.POSITION_DELETES
                        && deletes.keyMetadata() == null
                        // Iceberg reads those of many files once an executor
                        && ContentFileUtil.isFileScoped(deletes));
  }
}
