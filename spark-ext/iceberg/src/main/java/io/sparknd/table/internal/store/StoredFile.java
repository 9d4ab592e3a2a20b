/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.TableFile;
import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;

/**
 * A data file and its deletes.
 *
 * @param deletes deletion vectors or position deletes
 */
public record StoredFile(DataFile data, List<DeleteFile> deletes) implements Serializable {

  public static StoredFile of(String table, DataFile data, List<DeleteFile> deletes) {
    for (DeleteFile delete : deletes) {
      if (delete.content() != FileContent.POSITION_DELETES) {
        throw TableErrors.equalityDeletes(table, delete.location());
      }
    }
    return new StoredFile(data.copy(), deletes.stream().map(DeleteFile::copyWithoutStats).toList());
  }

  public String location() {
    return data.location();
  }

  /** Returns the data file as one of a table to read. */
  public TableFile in(StoredTable table) {
    return new TableFile(
        table.name(), table.table().io().newInputFile(location(), data.fileSizeInBytes()));
  }

  /**
   * Returns a lower bound for the number of live rows: a position delete file can cover several
   * data files.
   */
  long liveRows() {
    return Math.max(
        0, data.recordCount() - deletes.stream().mapToLong(DeleteFile::recordCount).sum());
  }

  /** Returns whether both are the same data file with the same deletes. */
  public boolean isSameAs(StoredFile other) {
    return identity().equals(other.identity());
  }

  String identity() {
    StringBuilder identity = new StringBuilder(location());
    deletes.stream()
        .map(delete -> delete.location() + "@" + delete.contentOffset())
        .sorted()
        .forEach(delete -> identity.append('|').append(delete));
    return identity.toString();
  }
}
