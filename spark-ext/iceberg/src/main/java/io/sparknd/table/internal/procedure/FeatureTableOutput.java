/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.table.FeatureTable;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The result row of procedures that make a feature table. */
final class FeatureTableOutput {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "table string, key_columns array<string>, variables array<string>, partitions string");

  private FeatureTableOutput() {}

  static Output show(SparkSession spark, FeatureTable table) {
    spark.catalog().refreshTable(table.name());
    return new Output(
        SCHEMA,
        List.of(
            RowFactory.create(
                table.name(),
                table.keyColumns().toArray(String[]::new),
                table.variables().toArray(String[]::new),
                PartitionText.of(table.iceberg()))));
  }
}
