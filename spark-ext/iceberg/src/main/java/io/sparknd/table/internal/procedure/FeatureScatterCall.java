/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.op.BadIndices;
import io.sparknd.sql.internal.IncludeSelfArgument;
import io.sparknd.sql.internal.plan.DatasetQueries;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.FeatureWrite;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.feature.KeyColumnNames;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.IfChanged;
import io.sparknd.table.result.TableCommit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A call of {@code scatter_nd} that names a feature table. */
record FeatureScatterCall(SparkSession spark, ProcedureCall call, FeatureTable table) {

  TableCommit commit() {
    for (String argument : List.of("value_column", "negative", "duplicates")) {
      call.string(argument).ifPresent(value -> reject(argument, value));
    }
    call.flagIfGiven(IncludeSelfArgument.NAME)
        .ifPresent(value -> reject(IncludeSelfArgument.NAME, value.toString()));
    call.string("if_changed")
        .filter(value -> IfChanged.named(value) != IfChanged.REDO)
        .ifPresent(value -> reject("if_changed", value));
    FeatureWrite write = table.write();
    Optional<String> batch = call.string("batch_id");
    write = batch.isPresent() ? write.batchId(batch.get()) : write;
    Optional<Instant> time = call.time("valid_at");
    write = time.isPresent() ? write.validAt(time.get()) : write;
    return write.scatter(rows(), updates()).commit();
  }

  private void reject(String argument, String value) {
    throw FeatureErrors.tensorArgument(argument, value, table.name());
  }

  private FeatureUpdates updates() {
    FeatureUpdates updates =
        call.columns("order_by")
            .map(names -> FeatureUpdates.declared().orderedBy(names.toArray(String[]::new)))
            .orElse(FeatureUpdates.declared());
    Optional<String> reduction = call.string("reduction");
    updates = reduction.isPresent() ? updates.by(ReductionText.parse(reduction.get())) : updates;
    BadIndices bad = call.string("bad_indices").map(BadIndices::named).orElse(BadIndices.ERROR);
    if (bad == BadIndices.CLIP) {
      reject("bad_indices", "clip");
    }
    return bad == BadIndices.IGNORE ? updates.ignoringBadKeys() : updates;
  }

  /** Returns the updates; their key columns have the names of the table's. */
  private Dataset<Row> rows() {
    Dataset<Row> rows = DatasetQueries.rows(spark, call.required("updates"));
    Optional<List<String>> given = call.columns("index_columns");
    return given.isPresent() ? renamed(rows, given.get()) : rows;
  }

  private Dataset<Row> renamed(Dataset<Row> rows, List<String> given) {
    List<String> key = table.keyColumns();
    ColumnNameMatcher matcher = ColumnNameMatcher.in(rows);
    KeyColumnNames.require(table.name(), key, given, matcher);
    String[] names = rows.columns();
    String[] renamed = names.clone();
    List<Integer> ordinals = given.stream().map(name -> matcher.ordinal(names, name)).toList();
    for (int i = 0; i < key.size(); i++) {
      renamed[ordinals.get(i)] = key.get(i);
    }
    for (int i = 0; i < names.length; i++) {
      if (!ordinals.contains(i) && matcher.contains(key, names[i])) {
        throw ClusterErrors.columnTaken(names[i]);
      }
    }
    Column[] columns = new Column[names.length];
    for (int i = 0; i < names.length; i++) {
      columns[i] = SqlNames.column(names[i]).as(renamed[i]);
    }
    return rows.select(columns);
  }
}
