/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;

/** Where the files of a table lie. */
public final class DataFolder {
  private DataFolder() {}

  /** The folder that Iceberg puts new data files in, or in folders below. */
  public static String of(Table table) {
    return Stream.of(
            TableProperties.WRITE_DATA_LOCATION,
            TableProperties.OBJECT_STORE_PATH,
            TableProperties.WRITE_FOLDER_STORAGE_LOCATION)
        .map(table.properties()::get)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(table.location() + "/data");
  }

  /** Whether the folders of two tables are the same, or one holds the other. */
  static boolean overlap(Table one, Table other) {
    Set<String> others = folders(other);
    return folders(one).stream()
        .anyMatch(
            mine -> others.stream().anyMatch(its -> mine.startsWith(its) || its.startsWith(mine)));
  }

  private static Set<String> folders(Table table) {
    return Stream.of(table.location(), of(table)).map(DataFolder::path).collect(Collectors.toSet());
  }

  /** With a slash at the end, without the scheme: stores have several for the same place. */
  private static String path(String location) {
    return (location.replaceFirst("^[A-Za-z][A-Za-z0-9+.-]*:", "") + "/").replaceAll("/+", "/");
  }
}
