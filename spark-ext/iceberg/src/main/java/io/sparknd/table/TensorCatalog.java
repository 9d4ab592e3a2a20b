/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.internal.catalog.CatalogTables;
import io.sparknd.table.internal.scan.ColumnarTable;
import io.sparknd.tensor.ErrorCondition;
import io.sparknd.tensor.SparkNdException;
import java.util.HashSet;
import java.util.Set;
import org.apache.iceberg.exceptions.ValidationException;
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
 * Iceberg's Spark catalog, in which rows that are appended to a feature table or a tensor table are
 * scattered: by {@code INSERT INTO}, {@code DataFrameWriterV2.append} and streaming queries. {@code
 * CREATE TABLE} with a property {@code sparknd.key} makes a feature table, and {@code ALTER TABLE}
 * changes its variables. All other tables and statements are Iceberg's own.
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

  /**
   * Returns whether there is a table of this name, or a version of one that the name selects, such
   * as {@code users.branch_audit}: a streaming query creates a table that does not exist.
   */
  @Override
  public boolean tableExists(Identifier identifier) {
    return super.tableExists(identifier) || isOfTable(identifier) && isLoaded(identifier);
  }

  /** Returns whether a name selects a version of a table, which may not exist. */
  private boolean selectsVersion(Identifier identifier) {
    return CatalogTables.selected(identifier).isPresent()
        && !super.tableExists(identifier)
        && isOfTable(identifier);
  }

  /** Returns whether a name would select a version of a table if it were not that of another. */
  private boolean isOfTable(Identifier identifier) {
    return CatalogTables.selected(identifier).filter(this::isTable).isPresent();
  }

  private boolean isTable(Identifier identifier) {
    try {
      return super.tableExists(identifier);
    } catch (RuntimeException e) {
      return false; // for a name that the catalog cannot have, or does not show, as in Iceberg
    }
  }

  private boolean isLoaded(Identifier identifier) {
    try {
      super.loadTable(identifier);
      return true;
    } catch (NoSuchTableException | ValidationException | IllegalArgumentException e) {
      return false; // the table has no such branch, tag, snapshot or time
    }
  }

  private void requireTableName(Identifier identifier) {
    if (selectsVersion(identifier)) {
      throw tables().versionNotCreated(identifier);
    }
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
    requireTableName(identifier);
    return createFeatures(identifier, info)
        ? loaded(identifier)
        : super.createTable(identifier, info);
  }

  /** Creates a feature table; returns false if the definition is of another table. */
  private boolean createFeatures(Identifier identifier, TableInfo info)
      throws TableAlreadyExistsException {
    try {
      return tables().create(identifier, info);
    } catch (SparkNdException e) {
      if (e.condition()
          .equals(ErrorCondition.TABLE_EXISTS.fullName())) { // created since Spark looked for it
        throw new TableAlreadyExistsException(identifier); // which IF NOT EXISTS ignores
      }
      throw e;
    }
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
    requireTableName(identifier);
    tables().requirePlain(identifier, info);
    return super.stageCreate(identifier, info);
  }

  @Override
  public StagedTable stageReplace(Identifier identifier, TableInfo info)
      throws NoSuchTableException {
    requireTableName(identifier);
    tables().requirePlain(identifier, info);
    return CatalogTables.replaced(super.stageReplace(identifier, info), info.properties());
  }

  @Override
  public StagedTable stageCreateOrReplace(Identifier identifier, TableInfo info) {
    requireTableName(identifier);
    tables().requirePlain(identifier, info);
    return CatalogTables.replaced(super.stageCreateOrReplace(identifier, info), info.properties());
  }

  @Override
  public void renameTable(Identifier from, Identifier to)
      throws NoSuchTableException, TableAlreadyExistsException {
    requireTableName(to);
    super.renameTable(from, to);
  }

  @Override
  public boolean dropTable(Identifier identifier) {
    requireWholeTable(identifier);
    return super.dropTable(identifier);
  }

  @Override
  public boolean purgeTable(Identifier identifier) {
    requireWholeTable(identifier);
    return super.purgeTable(identifier);
  }

  /** Spark would report a table as dropped that Iceberg does not find. */
  private void requireWholeTable(Identifier identifier) {
    if (selectsVersion(identifier)) {
      throw tables().versionNotDropped(identifier);
    }
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
