/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.procedure;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A procedure that makes a temporary view of what a saved embedding table answers, because rows of
 * a procedure's own result pass the driver.
 */
abstract class SavedTableProcedure extends TensorProcedure {
  private static final StructType SCHEMA = StructType.fromDDL("view string");

  /**
   * @param rows the parameter that names the rows to answer
   * @param parameters further parameters
   */
  SavedTableProcedure(
      String name, String description, String rows, TensorProcedureParameter... parameters) {
    super(name, description, all(name, rows, parameters));
  }

  private static TensorProcedureParameter[] all(
      String name, String rows, TensorProcedureParameter... parameters) {
    List<TensorProcedureParameter> all = new ArrayList<>();
    all.add(
        TensorProcedureParameter.required(
            "embedding", DataTypes.StringType, "directory of a saved embedding table"));
    all.add(
        TensorProcedureParameter.required(
            rows, DataTypes.StringType, "name of a table or view, or the text of a query"));
    all.addAll(Arrays.asList(parameters));
    all.add(
        TensorProcedureParameter.string(
            "view", "name of the view; default: the directory's, followed by _" + name));
    return all.toArray(TensorProcedureParameter[]::new);
  }

  /** Returns the rows of the view. */
  abstract Dataset<Row> answer(SparkSession spark, EmbeddingTable table, ProcedureCall call);

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String directory = call.required("embedding");
    EmbeddingTable table = EmbeddingTable.load(spark, directory); // refuses what is no path
    String view =
        call.string("view")
            .orElseGet(
                () -> SqlNames.joined(List.of(new Path(directory).getName() + "_" + name())));
    answer(spark, table, call).createOrReplaceTempView(view);
    return new Output(SCHEMA, List.of(RowFactory.create(view)));
  }
}
