/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.opened.OpenedTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * The procedure {@code remove_orphans}: deletes or only lists files of SparkND's failed writers.
 */
final class OrphansProcedure extends TensorProcedure {
  private static final StructType SCHEMA = StructType.fromDDL("file string, deleted boolean");
  private static final Duration AGE = Duration.ofDays(3);

  /**
   * The same minimum as in Iceberg's own procedure: a running scatter may not have committed its
   * files yet.
   */
  private static final Duration MIN_AGE = Duration.ofDays(1);

  OrphansProcedure() {
    super(
        "remove_orphans",
        "deletes orphan files that failed scatters left in the location of a tensor table or "
            + "feature table",
        TensorProcedureParameter.TABLE,
        TensorProcedureParameter.timeOrAge(
            "older_than",
            TensorProcedureParameter.Need.OPTIONAL,
            "deletes files last modified before this time, or older than this interval (at "
                + "least one day); default 3 days"),
        TensorProcedureParameter.flag("dry_run", "true: only lists them"));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    Instant now = Instant.now();
    Duration age =
        call.timeOrAge("older_than", time -> Duration.between(time, now), given -> given)
            .orElse(AGE);
    if (age.compareTo(MIN_AGE) < 0) {
      throw TableErrors.orphansTooYoung(age);
    }
    OpenedTable table = OpenedTable.open(spark, call.required("table"));
    boolean isDryRun = call.flag("dry_run");
    List<String> files = isDryRun ? table.orphans(age) : table.removeOrphans(age);
    List<Row> rows = files.stream().map(file -> RowFactory.create(file, !isDryRun)).toList();
    return new Output(SCHEMA, rows);
  }
}
