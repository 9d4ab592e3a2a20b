/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.FeatureTable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/** The procedure {@code create_features}: creates a feature table without rows. */
final class CreateFeaturesProcedure extends TensorProcedure {
  CreateFeaturesProcedure() {
    super(
        "create_features",
        "creates an Iceberg table for variables by keys",
        FeatureArguments.after(
            TensorProcedureParameter.required(
                "table", DataTypes.StringType, "table name, in an Iceberg catalog"),
            TensorProcedureParameter.required(
                "keys",
                DataTypes.StringType,
                "key columns and their types: 'user STRING, id UUID'"),
            TensorProcedureParameter.required(
                "variables",
                DataTypes.StringType,
                "variables and their types: 'views BIGINT, taste ARRAY<FLOAT>'")));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    return FeatureTableOutput.show(
        spark,
        FeatureTable.create(
            spark, call.required("table"), new FeatureArguments(spark, call).created()));
  }
}
