/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/** Reads which rows of data files are deleted. */
public final class DeletedPositions {
  /**
   * Null, so that delete files are read in the task's own thread and one stream is open at a time.
   */
  private static final @Nullable ExecutorService ONE_BY_ONE = null;

  private DeletedPositions() {}

  /**
   * Reads the deleted positions of a data file.
   *
   * @param deletes deletion vectors or position deletes
   * @param file location of the data file
   * @throws SparkNdException if a delete file is missing
   */
  public static PositionDeleteIndex read(
      String table, FileIO io, List<DeleteFile> deletes, String file) {
    if (deletes.isEmpty()) {
      return PositionDeleteIndex.empty();
    }
    try {
      return new BaseDeleteLoader(io::newInputFile, ONE_BY_ONE).loadPositionDeletes(deletes, file);
    } catch (RuntimeException e) {
      for (DeleteFile each : deletes) {
        TableFile read = new TableFile(table, io.newInputFile(each));
        if (read.isMissing()) {
          throw read.failure(e);
        }
      }
      throw e;
    }
  }
}
