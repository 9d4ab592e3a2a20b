/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/** A table in the Iceberg catalog that can be restored to a saved state. */
final class Lake implements TableFiles {
  static final String CATALOG = "lake";

  /** A catalog whose tables use {@link CountingFileIO}. */
  static final String COUNTED = "counted";

  static final String NAMESPACE = "bench";

  private final String catalogName;
  private final Catalog catalog;
  private final TableIdentifier table;
  private String firstMetadata;
  private Directory directory;

  Lake(SparkSession spark, String table) {
    this(spark, CATALOG, table);
  }

  Lake(SparkSession spark, String catalogName, String table) {
    this.catalogName = catalogName;
    this.catalog = Spark3Util.loadIcebergCatalog(spark, catalogName);
    this.table = TableIdentifier.of(NAMESPACE, table);
  }

  String name() {
    return catalogName + "." + table;
  }

  /** Drops the table if it exists. */
  void drop() {
    if (catalog.tableExists(table)) {
      Path path = path(catalog.loadTable(table));
      catalog.dropTable(table, false);
      Directory.deleteAll(path);
    }
  }

  /** Appends rows that lie by partition already. */
  void append(Dataset<Row> rows) {
    try {
      rows.writeTo(name())
          .option("distribution-mode", "none")
          .option("fanout-enabled", "true")
          .append();
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Saves the current state for {@link #restore}. */
  void keep() {
    Table now = catalog.loadTable(table);
    firstMetadata = ((BaseTable) now).operations().current().metadataFileLocation();
    directory = new Directory(path(now));
  }

  void restore() {
    catalog.dropTable(table, false);
    directory.restore();
    catalog.registerTable(table, firstMetadata);
  }

  @Override
  public long bytesAdded() {
    return directory.bytesAdded();
  }

  @Override
  public long files() {
    Set<String> files = new HashSet<>();
    try (CloseableIterable<FileScanTask> scan = catalog.loadTable(table).newScan().planFiles()) {
      for (FileScanTask task : scan) {
        files.add(task.file().location());
        task.deletes().forEach(deletes -> files.add(deletes.location()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files.size();
  }

  private static Path path(Table table) {
    return Path.of(URI.create(table.location()).getPath());
  }
}
