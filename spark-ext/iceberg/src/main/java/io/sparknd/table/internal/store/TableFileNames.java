/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.regex.Pattern;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.OutputFileFactory;

/**
 * Names of the files that SparkND writes for a table. They contain the table's UUID, so that a
 * file's owner is known even if tables share a folder.
 */
public final class TableFileNames {
  private static final String MARK = "sparknd-";
  private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private final Pattern names;

  public TableFileNames(Table table) {
    // partition, task attempt, operation and count, as Iceberg's OutputFileFactory joins them
    this.names =
        Pattern.compile(
            "\\d{5,}-\\d+-"
                + Pattern.quote(MARK + table.uuid() + "-")
                + UUID
                + "-\\d{5,}\\.(parquet|puffin)");
  }

  /**
   * Creates the names of new files of a table.
   *
   * @param partition partition of the task that writes them
   * @param operation operation id in the names of the commit's files
   */
  public static OutputFileFactory newFiles(
      Table table, int partition, long attempt, String operation, FileFormat format) {
    return OutputFileFactory.builderFor(table, partition, attempt)
        .operationId(MARK + table.uuid() + "-" + operation)
        .format(format)
        .build();
  }

  /** Returns whether a file has a name that SparkND gives to files of this table. */
  public boolean contains(String location) {
    return names.matcher(fileName(location)).matches();
  }

  /** Returns the part of a location after the last slash. */
  public static String fileName(String location) {
    return location.substring(location.lastIndexOf('/') + 1);
  }
}
