/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.internal.store.TableRefresh;
import io.sparknd.table.options.Retention;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * The procedure {@code expire}: removes old snapshots of a table and the files that only they
 * reference.
 */
final class ExpireProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL("snapshots_expired bigint, snapshots_left bigint");

  ExpireProcedure() {
    super(
        "expire",
        "expires old snapshots of a tensor table or feature table, and deletes files that only "
            + "they reference",
        TensorProcedureParameter.TABLE,
        TensorProcedureParameter.timeOrAge(
            "older_than",
            TensorProcedureParameter.Need.REQUIRED,
            "expires snapshots before this time, or older than this interval; never the "
                + "current one"));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String name = call.required("table");
    OpenedTable table = OpenedTable.open(spark, name);
    Retention retention =
        call.timeOrAge("older_than", Retention::since, Retention::of)
            .orElseThrow(() -> SqlErrors.argumentMissing(name(), "older_than"));
    TableRefresh.run(table.name(), table.iceberg());
    long before = snapshots(table);
    table.expire(retention);
    TableRefresh.afterCommit("expiring snapshots of", table.name(), table.iceberg());
    long after = snapshots(table);
    spark.catalog().refreshTable(name);
    return new Output(SCHEMA, List.of(RowFactory.create(Math.max(0, before - after), after)));
  }

  private static long snapshots(OpenedTable table) {
    return StreamSupport.stream(table.iceberg().snapshots().spliterator(), false).count();
  }
}
