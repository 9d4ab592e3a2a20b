/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.LocationUtil;

/** The folders that contain the files of a table. */
public final class DataLocation {
  private DataLocation() {}

  /**
   * Returns the folder in or below which Iceberg writes new data files, without a slash at its end,
   * unless the table has a location provider of its own.
   */
  @SuppressWarnings("deprecation") // tables that older writers made have them
  public static String of(Table table) {
    return Stream.of(
            TableProperties.WRITE_DATA_LOCATION,
            TableProperties.OBJECT_STORE_PATH,
            TableProperties.WRITE_FOLDER_STORAGE_LOCATION)
        .map(table.properties()::get)
        .filter(Objects::nonNull)
        .findFirst()
        .map(LocationUtil::stripTrailingSlash)
        .orElseGet(() -> LocationUtil.stripTrailingSlash(table.location()) + "/data");
  }

  /** Returns whether folders of two tables are equal or one contains the other. */
  static boolean overlap(Table one, Table other) {
    Set<String> others = folders(other);
    return folders(one).stream()
        .anyMatch(
            mine -> others.stream().anyMatch(its -> mine.startsWith(its) || its.startsWith(mine)));
  }

  private static Set<String> folders(Table table) {
    return Stream.of(table.location(), of(table))
        .map(DataLocation::path)
        .collect(Collectors.toSet());
  }

  /**
   * Returns a location with a final slash and without its scheme: stores have several schemes for
   * one place.
   */
  private static String path(String location) {
    return (location.replaceFirst("^[A-Za-z][A-Za-z0-9+.-]*:", "") + "/").replaceAll("/+", "/");
  }
}
