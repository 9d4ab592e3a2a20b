/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.table.result.TableCommit;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** Result rows that describe a commit. */
final class CommitRows {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "outcome string, snapshot bigint, updates bigint, dropped bigint, rows bigint,"
              + " blocks bigint, files_added bigint, files_replaced bigint, bytes_written bigint,"
              + " attempts int");

  private CommitRows() {}

  /**
   * Returns the row of a commit to a table. Refreshes Spark's cached data of the table, as Spark's
   * own statements do.
   *
   * @param given the name as given by the caller, possibly that of a branch
   * @param fullName the table's full name
   */
  static Output show(SparkSession spark, String given, String fullName, TableCommit commit) {
    spark.catalog().refreshTable(fullName);
    spark.catalog().refreshTable(given);
    return new Output(
        SCHEMA,
        List.of(
            RowFactory.create(
                commit.outcome().name().toLowerCase(Locale.ROOT),
                commit.snapshot() < 0 ? null : commit.snapshot(),
                commit.updates(),
                commit.dropped(),
                commit.rows(),
                commit.blocks(),
                commit.filesAdded(),
                commit.filesReplaced(),
                commit.bytesWritten(),
                commit.attempts())));
  }
}
