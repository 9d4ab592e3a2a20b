/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import java.util.regex.Pattern;
import org.apache.iceberg.Table;

/**
 * Names of the files that SparkND writes for a table: they hold the table's UUID, so that a file
 * shows whose it is even where tables share a folder.
 */
public final class OwnFiles {
  private static final String MARK = "sparknd-";
  private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private final Pattern names;

  public OwnFiles(Table table) {
    // partition, task attempt, operation and count, as Iceberg's OutputFileFactory joins them
    this.names =
        Pattern.compile(
            "\\d{5,}-\\d+-"
                + Pattern.quote(MARK + table.uuid() + "-")
                + UUID
                + "-\\d{5,}\\.(parquet|puffin)");
  }

  /** The part of a name that says whose file it is, and which commit's. */
  static String operation(Table table, String operation) {
    return MARK + table.uuid() + "-" + operation;
  }

  /** Whether SparkND gave a file its name, for this table. */
  public boolean contains(String location) {
    return names.matcher(fileName(location)).matches();
  }

  /** What comes after the last slash. */
  public static String fileName(String location) {
    return location.substring(location.lastIndexOf('/') + 1);
  }
}
