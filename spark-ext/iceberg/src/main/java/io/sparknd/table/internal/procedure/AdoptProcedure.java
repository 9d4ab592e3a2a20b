/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.FeatureTable;
import org.apache.spark.sql.SparkSession;

/** The procedure {@code adopt}: makes a feature table of an Iceberg table that exists. */
final class AdoptProcedure extends TensorProcedure {
  AdoptProcedure() {
    super(
        "adopt",
        "makes a feature table of an Iceberg table, by its metadata only",
        FeatureArguments.after(
            TensorProcedureParameter.TABLE,
            TensorProcedureParameter.columns("keys", "columns of the key, in order; required")));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    return FeatureTableOutput.show(
        spark,
        FeatureTable.adopt(
            spark, call.required("table"), new FeatureArguments(spark, call).adopted()));
  }
}
