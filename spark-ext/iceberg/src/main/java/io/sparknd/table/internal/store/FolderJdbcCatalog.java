/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.LocalCatalogErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.util.LocationUtil;

/**
 * The tables of a catalog in a local directory, each in a directory of its own below the catalog's,
 * never reused by another table. Iceberg's default directories are the tables' names, which is
 * unsafe: a name such as {@code ../users} leads out of the catalog; and if a name is reused after a
 * rename, or is also that of a namespace, two tables share files, and each sees the other's files
 * as orphans.
 */
public final class FolderJdbcCatalog extends JdbcCatalog {
  /** The setting that names the directory, which is created at the catalog's first use. */
  public static final String DIRECTORY = "sparknd-directory";

  /** The name of the catalog's database in its directory. */
  public static final String DATABASE = "catalog.db";

  /** The error of a missing metadata file, with the location of the table. */
  private static final Pattern MISSING = Pattern.compile("[^:]*: (.*)/metadata/[^/]*");

  /** Maximum length of a name's part of a directory name, which may have 255 bytes. */
  private static final int MAX_LENGTH = 100;

  @SuppressWarnings("NullAway.Init") // Iceberg calls initialize first
  private String warehouse;

  @Override
  public void initialize(String name, Map<String, String> properties) {
    warehouse =
        LocationUtil.stripTrailingSlash(properties.get(CatalogProperties.WAREHOUSE_LOCATION));
    if (properties.containsKey(DIRECTORY)) {
      createDirectory(Path.of(properties.get(DIRECTORY)));
    }
    super.initialize(name, properties);
  }

  private static void createDirectory(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw LocalCatalogErrors.catalogDirectory(directory.toString(), e);
    }
  }

  /**
   * Loads a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if the catalog's directory was copied or moved, and
   *     the table is that of the original
   */
  @Override
  public Table loadTable(TableIdentifier identifier) {
    CopiedTables copied = new CopiedTables(new LocalFile(warehouse).path());
    try {
      Table table = super.loadTable(identifier);
      copied.requireOwn(identifier.toString(), table.location(), this::isOfTable);
      return table;
    } catch (NotFoundException e) {
      Matcher missing = MISSING.matcher(String.valueOf(e.getMessage()));
      if (missing.matches()) {
        copied.requireOwn(identifier.toString(), missing.group(1), this::isOfTable);
      }
      throw e;
    }
  }

  /** Returns whether a table of the catalog is in a directory, as a clone of another one may be. */
  private boolean isOfTable(Path directory) {
    return listNamespaces().stream()
        .flatMap(namespace -> listTables(namespace).stream())
        .map(this::newTableOps)
        .anyMatch(table -> isIn(table, directory));
  }

  private static boolean isIn(TableOperations table, Path directory) {
    try {
      return new LocalFile(table.refresh().location()).path().equals(directory);
    } catch (NotFoundException e) {
      return false; // its files are gone
    }
  }

  @Override
  protected String defaultWarehouseLocation(TableIdentifier table) {
    StringBuilder location = new StringBuilder(warehouse);
    for (String level : table.namespace().levels()) {
      location.append('/').append(plain(level));
    }
    return location.append('/').append(plain(table.name())) + "-" + UUID.randomUUID();
  }

  /**
   * Returns a name without special characters; if two names become equal, the UUID distinguishes
   * their directories.
   */
  private static String plain(String name) {
    String safe = name.replaceAll("[^A-Za-z0-9_-]", "_");
    return safe.substring(0, Math.min(MAX_LENGTH, safe.length()));
  }
}
