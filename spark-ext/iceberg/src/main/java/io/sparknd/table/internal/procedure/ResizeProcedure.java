/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.store.NumberedAxis;
import io.sparknd.table.internal.store.TableCatalogs;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The procedure {@code resize}: changes the first dimension of a tensor, or the size of a feature
 * table's numbered axis.
 */
final class ResizeProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL("table string, size_before bigint, size bigint");

  ResizeProcedure() {
    super(
        "resize",
        "changes the first dimension of a tensor table, or the size of a feature table",
        TensorProcedureParameter.TABLE,
        TensorProcedureParameter.required(
            "size",
            DataTypes.LongType,
            "new number of entries; no row may be stored at or beyond it"));
  }

  @Override
  Output run(SparkSession spark, ProcedureCall call) {
    String name = call.required("table");
    long size = call.integer("size").orElseThrow(() -> TableErrors.argumentMissing(name(), "size"));
    Table table = TableCatalogs.select(spark, name).opened().table();
    long before = NumberedAxis.of(table.properties()).map(NumberedAxis::size).orElse(0L);
    String full;
    if (FeatureProperties.isFeatureTable(table.properties())) {
      full = FeatureTable.open(spark, name).resize(size).name();
    } else {
      full = TensorTable.open(spark, name).resize(size).name();
    }
    spark.catalog().refreshTable(full);
    return new Output(SCHEMA, List.of(RowFactory.create(full, before, size)));
  }
}
