/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.procedure;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** {@code info}: what a table is as a tensor, in one row. */
final class InfoProcedure extends TableProcedure {
  InfoProcedure() {
    super(
        "info",
        StructType.fromDDL(
            "dtype string, shape array<bigint>, index_columns array<string>, value_column string,"
                + " slices bigint, rows bigint"));
  }

  @Override
  List<Row> run(TensorView table) {
    return List.of(
        RowFactory.create(
            table.elements(),
            table.shape().dims(),
            table.indexColumns().toArray(String[]::new),
            table.valueColumn(),
            table.outer().elements(),
            table.rows().count()));
  }
}
