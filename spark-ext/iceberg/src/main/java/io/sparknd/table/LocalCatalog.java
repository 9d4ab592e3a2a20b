/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.store.FolderCatalog;
import io.sparknd.table.store.FolderTables;
import io.sparknd.table.store.LocalFileIO;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/**
 * An Iceberg catalog in a directory of this machine: a SQLite file beside the tables. For trying
 * things out, tests and single machines; several processes may write at once.
 */
public final class LocalCatalog {
  /** Writers wait so long for one another. */
  private static final String BUSY_MILLIS = "60000";

  private LocalCatalog() {}

  /**
   * Adds catalog {@code name} to {@code spark}; tables are then {@code name.namespace.table}. A
   * session that has a catalog of that name keeps it as it is, whatever made it.
   *
   * @param directory made, where it is not there, when the catalog is first used
   */
  public static void addTo(SparkSession spark, String name, Path directory) {
    if (spark.conf().getOption(catalog(name)).isDefined()) {
      return;
    }
    settings(name, directory)
        .forEach(
            (key, value) -> {
              if (spark.conf().getOption(key).isEmpty()) {
                spark.conf().set(key, value);
              }
            });
  }

  /**
   * The settings that make up the catalog, for a session that is yet to be.
   *
   * @param directory made, where it is not there, when the catalog is first used
   */
  public static Map<String, String> settings(String name, Path directory) {
    Path absolute = directory.toAbsolutePath();
    String catalog = catalog(name);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(catalog, FolderCatalog.class.getName());
    settings.put(catalog + "." + FolderCatalog.DIRECTORY, absolute.toString());
    settings.put(catalog + ".catalog-impl", FolderTables.class.getName());
    settings.put(
        catalog + ".uri",
        "jdbc:sqlite:" + absolute.resolve("catalog.db") + "?busy_timeout=" + BUSY_MILLIS);
    settings.put(catalog + ".jdbc.schema-version", "V1");
    settings.put(catalog + ".warehouse", warehouse(absolute));
    settings.put(catalog + ".io-impl", LocalFileIO.class.getName());
    // else a session does not see what others commit
    settings.put(catalog + ".cache-enabled", "false");
    return settings;
  }

  /** The setting that says what the catalog is. */
  private static String catalog(String name) {
    return "spark.sql.catalog." + name;
  }

  /** As a URI; what {@link Path#toUri} gives depends on whether the directory is there. */
  private static String warehouse(Path directory) {
    String uri = directory.toUri().toString();
    return uri.endsWith("/") ? uri : uri + "/";
  }
}
