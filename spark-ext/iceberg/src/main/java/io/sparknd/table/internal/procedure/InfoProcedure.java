/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.result.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The procedure {@code info}: describes a table as a tensor, or a feature table, in one row. */
final class InfoProcedure extends TensorProcedure {
  private static final String OF_ALL =
      "dtype string, shape array<bigint>, index_columns array<string>, value_column string,"
          + " slices bigint, rows bigint";
  private static final String OF_STORED =
      ", layout string, rows_per_block bigint, snapshot bigint, blocks bigint, data_files bigint,"
          + " deletion_vectors bigint, bytes bigint";

  InfoProcedure() {
    super(
        "info",
        "describes a table as a tensor, or a feature table, in one row",
        ProcedureTable.parameters());
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    Optional<FeatureTable> features = ProcedureTable.features(spark, call);
    if (features.isPresent()) {
      return FeatureInfoOutput.show(features.get());
    }
    ProcedureTable table = ProcedureTable.of(spark, call);
    List<Object> row = new ArrayList<>();
    row.add(table.elements());
    row.add(table.shape().dims());
    row.add(table.indexColumns().toArray(String[]::new));
    row.add(String.join(", ", table.valueColumns()));
    row.add(table.outer().elements());
    if (table.stored().isEmpty()) {
      row.add(table.rows().count());
      return output(OF_ALL, row);
    }
    addStored(row, table.stored().get().info());
    return output(OF_ALL + OF_STORED, row);
  }

  private static void addStored(List<Object> row, TableInfo info) {
    row.add(info.rows());
    row.add(info.layout().name().toLowerCase(Locale.ROOT));
    row.add(info.rowsPerBlock());
    row.add(info.snapshot().isPresent() ? info.snapshot().getAsLong() : null);
    row.add(info.blocks());
    row.add(info.dataFiles());
    row.add(info.deletionVectors());
    row.add(info.bytes());
  }

  private static Output output(String schema, List<Object> row) {
    return new Output(StructType.fromDDL(schema), List.of(RowFactory.create(row.toArray())));
  }
}
