/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.keyed.FeatureChanges;
import java.util.Arrays;
import java.util.Set;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The changes of a feature table, as a streaming query reads them. */
public record ChangesTable(ChangesOptions options) implements SupportsRead {

  /** Returns the columns of changes, with the variables that the table has now. */
  public StructType rows() {
    SparkSession spark = SparkSession.active();
    Table table = options.table().iceberg();
    return new FeatureChanges(
            spark, StoredFeatures.of(options.table().name(), table, table.currentSnapshot()))
        .schema();
  }

  @Override
  public String name() {
    return "changes of " + options.table().name();
  }

  @Override
  public Column[] columns() {
    return Arrays.stream(rows().fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.MICRO_BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap scanOptions) {
    StructType rows = rows();
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
            return new ChangesStream(SparkSession.active(), options, rows);
          }
        };
  }
}
