/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.TableErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.TableCatalog;

/** Finds the tables of a catalog whose folders overlap with those of another table. */
public final class OverlappingTables {
  private final StoredTable table;
  private final Catalog catalog;
  private final TableCatalog names;
  private final TableIdentifier own;

  private OverlappingTables(SparkSession spark, StoredTable table) throws Exception {
    Spark3Util.CatalogAndIdentifier found =
        Spark3Util.catalogAndIdentifier(spark, SqlNames.parts(table.name()));
    this.table = table;
    this.names = (TableCatalog) found.catalog();
    this.catalog = Spark3Util.loadIcebergCatalog(spark, names.name());
    this.own = identifier(found.identifier());
  }

  /**
   * Returns the table in its current state, and all tables whose folders overlap with its own or
   * that have its UUID.
   *
   * @throws io.sparknd.tensor.SparkNdException if the catalog does not list its tables, or cannot
   *     open one of them
   */
  public static List<Table> of(SparkSession spark, StoredTable table) {
    try {
      return new OverlappingTables(spark, table).find();
    } catch (Exception e) {
      throw TableErrors.orphansUnknown(table.name(), e);
    }
  }

  private List<Table> find() throws Exception {
    Set<TableIdentifier> all = new LinkedHashSet<>();
    addTables(all);
    if (!all.contains(own)) {
      throw new IllegalStateException("the catalog does not list the table itself");
    }
    List<Table> nearby = new ArrayList<>();
    for (TableIdentifier each : all) {
      try {
        Table table = catalog.loadTable(each);
        TableRefresh.orMissing(table); // a catalog may cache tables
        if (isNearby(table)) {
          nearby.add(table);
        }
      } catch (NoSuchTableException e) {
        if (each.equals(own)) {
          throw e; // renamed concurrently: its files are still in use
        }
        // dropped concurrently, or not an Iceberg table
      }
    }
    if (nearby.stream().noneMatch(this::isTheSame)) {
      throw new IllegalStateException("the table was renamed in the meantime");
    }
    return nearby;
  }

  private boolean isTheSame(Table other) {
    return other.uuid().equals(table.table().uuid());
  }

  private boolean isNearby(Table other) {
    return isTheSame(other) || DataLocation.overlap(table.table(), other);
  }

  private void addTables(Set<TableIdentifier> found) throws Exception {
    try {
      addTables(new String[0], found);
    } catch (NoSuchNamespaceException | org.apache.iceberg.exceptions.NoSuchNamespaceException e) {
      // most catalogs have no tables outside namespaces
    }
    if (names instanceof SupportsNamespaces namespaces) {
      for (String[] namespace : namespaces.listNamespaces()) {
        addAll(namespaces, namespace, found);
      }
    }
  }

  private void addAll(SupportsNamespaces namespaces, String[] namespace, Set<TableIdentifier> found)
      throws Exception {
    addTables(namespace, found);
    for (String[] inner : namespaces.listNamespaces(namespace)) {
      addAll(namespaces, inner, found);
    }
  }

  private void addTables(String[] namespace, Set<TableIdentifier> found) throws Exception {
    Arrays.stream(names.listTables(namespace))
        .map(OverlappingTables::identifier)
        .forEach(found::add);
  }

  private static TableIdentifier identifier(Identifier spark) {
    return TableIdentifier.of(Namespace.of(spark.namespace()), spark.name());
  }
}
