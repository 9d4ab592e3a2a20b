/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.internal.LocalCatalogErrors;
import io.sparknd.table.internal.store.FolderCatalog;
import io.sparknd.table.internal.store.FolderJdbcCatalog;
import io.sparknd.table.internal.store.LocalFileIO;
import io.sparknd.tensor.internal.LocalPaths;
import java.io.File;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/**
 * An Iceberg catalog in a local directory: a SQLite file beside the tables. It is meant for trials,
 * tests and single machines; several processes may write concurrently.
 *
 * <p>Metadata has absolute paths, so a copy of the directory, or a directory that was moved, is no
 * catalog of its own: its tables are those of the original, and opening one is an error. Copy a
 * table by Iceberg's {@code rewrite_table_path} and {@code register_table}.
 */
public final class LocalCatalog {
  /** SQLite's busy timeout: how long a writer waits for another. */
  private static final String BUSY_MILLIS = "60000";

  private LocalCatalog() {}

  /**
   * Adds catalog {@code name} to {@code spark}; tables are then {@code name.namespace.table}. If
   * the session already has a catalog of that name, it does not change.
   *
   * @param directory created at the catalog's first use if it does not exist
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
   * Returns the catalog's settings, for a session that does not exist yet.
   *
   * @param directory created at the catalog's first use if it does not exist
   */
  public static Map<String, String> settings(String name, Path directory) {
    Path absolute = absolute(directory);
    String catalog = catalog(name);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(catalog, FolderCatalog.class.getName());
    settings.put(catalog + "." + FolderJdbcCatalog.DIRECTORY, absolute.toString());
    settings.put(catalog + ".catalog-impl", FolderJdbcCatalog.class.getName());
    settings.put(
        catalog + ".uri",
        "jdbc:sqlite:"
            + absolute.resolve(FolderJdbcCatalog.DATABASE)
            + "?busy_timeout="
            + BUSY_MILLIS);
    settings.put(catalog + ".jdbc.schema-version", "V1");
    settings.put(catalog + ".warehouse", warehouse(absolute));
    settings.put(catalog + ".io-impl", LocalFileIO.class.getName());
    // a cached table does not show other sessions' commits
    settings.put(catalog + ".cache-enabled", "false");
    return settings;
  }

  private static Path absolute(Path directory) {
    try {
      return LocalPaths.absolute(directory);
    } catch (FileSystemException e) {
      throw LocalCatalogErrors.catalogDirectory(directory.toString(), e);
    }
  }

  /** Returns the key of the setting that defines the catalog. */
  private static String catalog(String name) {
    return "spark.sql.catalog." + name;
  }

  /** Returns the directory as a location: like a URI that ends in a slash, but not escaped. */
  private static String warehouse(Path directory) {
    String path = directory.toString().replace(File.separatorChar, '/');
    return "file://" + (path.startsWith("/") ? "" : "/") + path + (path.endsWith("/") ? "" : "/");
  }
}
