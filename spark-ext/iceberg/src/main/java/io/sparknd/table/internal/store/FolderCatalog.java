/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.scan.ColumnarTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog that creates its directory at its first use, and reads lists of SparkND's tables in
 * batches.
 */
public final class FolderCatalog extends SparkCatalog {
  /** The setting that names the directory. */
  public static final String DIRECTORY = "sparknd-directory";

  @Override
  protected Catalog buildIcebergCatalog(String name, CaseInsensitiveStringMap options) {
    Path directory = Path.of(options.get(DIRECTORY));
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw TableErrors.catalogDirectory(directory.toString(), e);
    }
    return super.buildIcebergCatalog(name, options);
  }

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
