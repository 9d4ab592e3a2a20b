/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.opened.OpenedTable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * The procedure {@code changes}: makes a temporary view of the rows of a table that differ from an
 * earlier state, as Iceberg's {@code create_changelog_view} does.
 */
final class ChangesProcedure extends TensorProcedure {
  private static final StructType SCHEMA = StructType.fromDDL("view string");

  ChangesProcedure() {
    super(
        "changes",
        "makes a temporary view of the rows of a table that differ from an earlier state",
        TensorProcedureParameter.TABLE,
        TensorProcedureParameter.string("since_batch", "id of the batch after which rows differ"),
        TensorProcedureParameter.integer(
            "since_snapshot", "id of the snapshot from which rows differ, if no batch is given"),
        TensorProcedureParameter.string(
            "view", "name of the view; default: the table's, followed by _changes"));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String name = call.required("table");
    OpenedTable table = OpenedTable.open(spark, name);
    String view =
        call.string("view")
            .orElse(SqlNames.joined(List.of(SqlNames.lastPart(table.name()) + "_changes")));
    table.changesSince(before(table, call)).createOrReplaceTempView(view);
    return new Output(SCHEMA, List.of(RowFactory.create(view)));
  }

  private static OpenedTable before(OpenedTable table, ProcedureCall call) {
    Optional<String> batch = call.string("since_batch");
    Optional<Long> snapshot = call.integer("since_snapshot");
    if (batch.isPresent() == snapshot.isPresent()) {
      throw FeatureErrors.sinceArguments(call.procedure());
    }
    return batch.isPresent() ? table.batch(batch.get()) : table.snapshot(snapshot.get());
  }
}
