/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.store;

import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.util.LocationUtil;

/**
 * The tables of a {@link FolderCatalog}, each in a directory below the catalog's that no other
 * table ever has. Why not those of Iceberg, which are the names: one such as {@code ../users} leads
 * out of the catalog; and where a name is taken again after a rename, or is that of a namespace as
 * well, two tables share files, and what one of them does not know is an orphan to it.
 */
public final class FolderTables extends JdbcCatalog {
  /** Of a name that is in the name of a directory, which may have 255 bytes. */
  private static final int MOST_LENGTH = 100;

  private String warehouse;

  @Override
  public void initialize(String name, Map<String, String> properties) {
    warehouse =
        LocationUtil.stripTrailingSlash(properties.get(CatalogProperties.WAREHOUSE_LOCATION));
    super.initialize(name, properties);
  }

  @Override
  protected String defaultWarehouseLocation(TableIdentifier table) {
    StringBuilder location = new StringBuilder(warehouse);
    for (String level : table.namespace().levels()) {
      location.append('/').append(plain(level));
    }
    return location.append('/').append(plain(table.name())) + "-" + UUID.randomUUID();
  }

  /** Where two names become one, what comes after tells them apart. */
  private static String plain(String name) {
    String safe = name.replaceAll("[^A-Za-z0-9_-]", "_");
    return safe.substring(0, Math.min(MOST_LENGTH, safe.length()));
  }
}
