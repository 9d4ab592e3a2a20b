/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.commit.TableResize;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.TableCatalogs;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.TableChange;

/** An {@code ALTER TABLE} that changes the size of a table's numbered axis. */
record SizeAlteration(String name, Table table) {

  /**
   * Changes the size if the changes request it.
   *
   * @return whether they do
   * @throws io.sparknd.tensor.SparkNdException if there are other changes beside it, or as {@link
   *     TableResize#run}
   */
  boolean apply(TableChange... changes) {
    Map<String, String> properties = new TreeMap<>();
    for (TableChange change : changes) {
      if (change instanceof TableChange.SetProperty set) {
        properties.put(set.property(), set.value());
      }
    }
    TableResize resize = new TableResize(SparkSession.active(), name, table);
    OptionalLong size = resize.requested(properties);
    if (size.isEmpty()) {
      return false;
    }
    if (changes.length > 1) {
      throw CatalogErrors.sizeAlone(name, resize.property());
    }
    new TableResize(SparkSession.active(), name, toWrite().table()).run(size.getAsLong());
    return true;
  }

  /** Loads the table anew, and checks that commits to it are safe. */
  private StoredTable toWrite() {
    SparkSession spark = SparkSession.active();
    return FeatureProperties.isFeatureTable(table.properties())
        ? FeatureCatalog.toWrite(spark, name)
        : TableCatalogs.toWrite(spark, name);
  }
}
