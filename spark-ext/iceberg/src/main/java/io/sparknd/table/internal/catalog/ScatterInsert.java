/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import java.util.Optional;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.V1Write;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.sources.InsertableRelation;

/** A write that scatters the rows of a query, or those of each epoch of a stream. */
record ScatterInsert(String table, SparkTable iceberg, LogicalWriteInfo info) implements V1Write {

  @Override
  public String description() {
    return "SparkND scatter into " + table;
  }

  @Override
  public InsertableRelation toInsertableRelation() {
    ScatterOptions options = ScatterOptions.of(table, info.options());
    RowScatter scatter = new RowScatter(table, branch());
    return (rows, overwrite) -> scatter.run(rows, options);
  }

  @Override
  public StreamingWrite toStreaming() {
    return new StreamScatter(
        new RowScatter(table, branch()),
        iceberg.table(),
        info.schema(),
        info.queryId(),
        ScatterOptions.of(table, info.options()));
  }

  /**
   * Returns the branch that an option names. The table's is not asked for: Iceberg's extensions set
   * it to the session's, which the first commit creates.
   */
  private Optional<String> branch() {
    return Optional.ofNullable(info.options().get(WriteOptionNames.BRANCH));
  }
}
