/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.IncludeSelfArgument;
import io.sparknd.sql.internal.plan.DatasetQueries;
import io.sparknd.sql.internal.plan.TensorNames;
import io.sparknd.sql.internal.plan.TensorOptions;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.TableWrite;
import io.sparknd.table.TensorTable;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.options.IfChanged;
import io.sparknd.table.result.TableCommit;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/** The procedure {@code scatter_nd}: applies updates to a table in one commit. */
final class ScatterProcedure extends TensorProcedure {
  ScatterProcedure() {
    super(
        "scatter_nd",
        "scatters rows into a tensor table or feature table, in one commit",
        TensorProcedureParameter.TABLE,
        TensorProcedureParameter.required(
            "updates", DataTypes.StringType, "name of a table or view, or the text of a query"),
        TensorProcedureParameter.string(
            "reduction",
            "'add' (default), 'none' (the last update wins), 'sub', 'mul', 'div', 'min', "
                + "'max', 'fmin', 'fmax', 'mean'; of a feature table: as declared, or one for "
                + "all variables that keeps no state, such as 'update'"),
        TensorProcedureParameter.string(
            "batch_id", "idempotency key: a batch with this id is applied only once"),
        TensorProcedureParameter.columns("order_by", "columns that order the updates of one slice"),
        TensorProcedureParameter.columns(
            "index_columns", "default: the columns with the tensor's names"),
        TensorProcedureParameter.string(
            "value_column",
            "default: the column with the tensor's name, else the only other column"),
        TensorProcedureParameter.string("bad_indices", "'error' (default), 'ignore', 'clip'"),
        TensorProcedureParameter.string(
            "negative", "'error' (default), 'wrap', 'oob', which 'ignore' implies"),
        TensorProcedureParameter.string("duplicates", "'in_order' (default), 'error'"),
        TensorProcedureParameter.string(
            "if_changed",
            "if another commit changed the same rows: 'redo' (default) recomputes the "
                + "updates, 'fail' is an error"),
        TensorProcedureParameter.time(
            "valid_at",
            "time from which the batch's values are true, for gathers as of a time from a feature "
                + "table; default: that of the commit"),
        TensorProcedureParameter.flag(
            IncludeSelfArgument.NAME, IncludeSelfArgument.MEANING + "; of tensors only"));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String table = call.required("table");
    OpenedTable found = OpenedTable.open(spark, table);
    TableCommit commit =
        found instanceof OpenedTable.Features features
            ? new FeatureScatterCall(spark, call, features.table()).commit()
            : commit(spark, call, ((OpenedTable.Elements) found).table());
    return CommitRows.show(spark, table, found.name(), commit);
  }

  private static TableCommit commit(SparkSession spark, ProcedureCall call, TensorTable opened) {
    Scatter reduction =
        Scatter.of(call.string("reduction").map(Reduction::named).orElse(Reduction.ADD));
    Scatter how =
        IncludeSelfArgument.apply(
                call.procedure(), reduction, call.flagIfGiven(IncludeSelfArgument.NAME))
            .withIndices(call.indices())
            .withDuplicates(call.duplicates());
    TableWrite write =
        opened
            .write()
            .ifChanged(call.string("if_changed").map(IfChanged::named).orElse(IfChanged.REDO));
    call.time("valid_at")
        .ifPresent(
            time -> {
              throw FeatureErrors.featureArgument("valid_at", time, opened.name());
            });
    Optional<String> batch = call.string("batch_id");
    write = batch.isPresent() ? write.batchId(batch.get()) : write;
    Dataset<Row> updates = DatasetQueries.rows(spark, call.required("updates"));
    return write.scatter(how, updates, columns(call, updates, opened)).commit();
  }

  private static TensorColumns columns(
      ProcedureCall call, Dataset<Row> updates, TensorTable table) {
    return DatasetQueries.columns(
        "updates",
        updates,
        new TensorOptions(
            Optional.empty(),
            Optional.empty(),
            call.columns("index_columns"),
            call.string("value_column"),
            call.columns("order_by").orElse(List.of())),
        TensorNames.of(table.toDataset().schema()));
  }
}
