/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.scan.ColumnarTable;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;

/**
 * The catalog of a local directory: Iceberg's, but lists of SparkND's tables are read in batches.
 */
public final class FolderCatalog extends SparkCatalog {
  @Override
  public Table loadTable(Identifier identifier) throws NoSuchTableException {
    return ColumnarTable.of(identifier, super.loadTable(identifier));
  }

  @Override
  public Table loadTable(Identifier identifier, String version) throws NoSuchTableException {
    return ColumnarTable.of(identifier, super.loadTable(identifier, version));
  }

  @Override
  public Table loadTable(Identifier identifier, long timestamp) throws NoSuchTableException {
    return ColumnarTable.of(identifier, super.loadTable(identifier, timestamp));
  }
}
