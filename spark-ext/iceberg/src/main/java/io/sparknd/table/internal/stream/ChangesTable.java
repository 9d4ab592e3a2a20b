/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.keyed.FeatureChanges;
import io.sparknd.table.internal.opened.OpenedTable;
import java.util.Arrays;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The changes of a table, as a streaming query reads them.
 *
 * @param rows the columns of changes, with the variables or values that the table had when it was
 *     loaded
 */
public record ChangesTable(ChangesOptions options, StructType rows) implements SupportsRead {

  /**
   * Loads a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such table
   */
  public static ChangesTable load(ChangesOptions options) {
    SparkSession spark = SparkSession.active();
    OpenedTable table = options.open(spark);
    StoredFeatures stored = table.keyed(table.iceberg().currentSnapshot());
    return new ChangesTable(options, new FeatureChanges(spark, stored).schema());
  }

  @Override
  public String name() {
    return "changes of " + options.name();
  }

  @Override
  public Column[] columns() {
    return Arrays.stream(rows.fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.MICRO_BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap scanOptions) {
    return () ->
        new Scan() {
          @Override
          public StructType readSchema() {
            return rows;
          }

          @Override
          public String description() {
            return name();
          }

          @Override
          public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
            SparkSession ofQuery = SparkSession.active();
            return new ChangesStream(ofQuery, options.open(ofQuery), options, rows);
          }
        };
  }
}
