/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.internal.catalog.CatalogTables;
import io.sparknd.table.internal.scan.ColumnarTable;
import java.util.HashSet;
import java.util.Set;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalogCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;

/**
 * Iceberg's Spark catalog, in which rows that are appended to a feature table or a tensor's table
 * are scattered: by {@code INSERT INTO}, {@code DataFrameWriterV2.append} and streaming queries.
 * {@code CREATE TABLE} with a property {@code sparknd.key} makes a feature table, and {@code ALTER
 * TABLE} changes its variables. All other tables and statements are Iceberg's own.
 *
 * <p>Its settings are those of {@link SparkCatalog}:
 *
 * <pre>
 * spark.sql.catalog.lake = io.sparknd.table.TensorCatalog
 * spark.sql.catalog.lake.type = rest
 * spark.sql.catalog.lake.uri = ...
 * </pre>
 */
public class TensorCatalog extends SparkCatalog {
  private CatalogTables tables() {
    return new CatalogTables(name());
  }

  @Override
  public Set<TableCatalogCapability> capabilities() {
    Set<TableCatalogCapability> all = new HashSet<>(super.capabilities());
    all.add(TableCatalogCapability.SUPPORT_COLUMN_DEFAULT_VALUE);
    return all;
  }

  @Override
  public Table loadTable(Identifier identifier) throws NoSuchTableException {
    return tables().wrapped(identifier, super.loadTable(identifier));
  }

  @Override
  public Table loadTable(Identifier identifier, String version) throws NoSuchTableException {
    return ColumnarTable.of(identifier, super.loadTable(identifier, version));
  }

  @Override
  public Table loadTable(Identifier identifier, long timestamp) throws NoSuchTableException {
    return ColumnarTable.of(identifier, super.loadTable(identifier, timestamp));
  }

  @Override
  public Table createTable(Identifier identifier, TableInfo info)
      throws TableAlreadyExistsException {
    if (tables().create(identifier, info)) {
      return loaded(identifier);
    }
    return super.createTable(identifier, info);
  }

  private Table loaded(Identifier identifier) {
    try {
      return loadTable(identifier);
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e); // dropped since its creation
    }
  }

  @Override
  public StagedTable stageCreate(Identifier identifier, TableInfo info)
      throws TableAlreadyExistsException {
    tables().requirePlain(identifier, info);
    return super.stageCreate(identifier, info);
  }

  @Override
  public StagedTable stageReplace(Identifier identifier, TableInfo info)
      throws NoSuchTableException {
    tables().requirePlain(identifier, info);
    return CatalogTables.replaced(super.stageReplace(identifier, info), info.properties());
  }

  @Override
  public StagedTable stageCreateOrReplace(Identifier identifier, TableInfo info) {
    tables().requirePlain(identifier, info);
    return CatalogTables.replaced(super.stageCreateOrReplace(identifier, info), info.properties());
  }

  @Override
  public Table alterTable(Identifier identifier, TableChange... changes)
      throws NoSuchTableException {
    TableChange[] rest = tables().alter(identifier, super.loadTable(identifier), changes);
    Table altered =
        rest.length == 0 ? super.loadTable(identifier) : super.alterTable(identifier, rest);
    return tables().wrapped(identifier, altered);
  }
}
