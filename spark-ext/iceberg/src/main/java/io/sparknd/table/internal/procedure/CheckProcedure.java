/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.internal.adoption.FeatureProblems;
import io.sparknd.table.internal.adoption.RowProblem;
import io.sparknd.table.internal.adoption.TensorProblems;
import io.sparknd.table.internal.feature.SnapshotRows;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.opened.OpenedTable;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * The procedure {@code check}: reports the rows that make a table invalid as a tensor, or a feature
 * table wrong, one result row per problem.
 */
final class CheckProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL("problem string, rows bigint, example string");

  CheckProcedure() {
    super(
        "check",
        "finds rows that are invalid for a tensor or a feature table: nulls, bad indices, wrong "
            + "lengths, duplicates",
        ProcedureTable.parameters());
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    Optional<FeatureTable> features = ProcedureTable.features(spark, call);
    Stream<RowProblem> problems =
        features.isPresent()
            ? ofFeatures(spark, features.get())
            : ofTensor(ProcedureTable.of(spark, call));
    return new Output(
        SCHEMA,
        problems
            .map(found -> RowFactory.create(found.problem(), found.rows(), found.example()))
            .toList());
  }

  private static Stream<RowProblem> ofTensor(ProcedureTable table) {
    return new TensorProblems(table.rows(), table.indexColumns(), table.outer(), table.isWhole())
        .find();
  }

  private static Stream<RowProblem> ofFeatures(SparkSession spark, FeatureTable table) {
    OptionalLong at = table.snapshot();
    StoredFeatures stored = (StoredFeatures) new OpenedTable.Features(table).stored();
    SnapshotRows rows =
        new SnapshotRows(spark, stored.table(), at.isPresent() ? at.getAsLong() : null);
    return new FeatureProblems(stored.format(), rows.rows()).find();
  }
}
