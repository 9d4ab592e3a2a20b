/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import java.util.Optional;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.V1Write;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.sources.InsertableRelation;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A write that scatters the rows of a query, or those of each epoch of a stream. */
record ScatterInsert(String table, SparkTable iceberg, LogicalWriteInfo info) implements V1Write {

  @Override
  public String description() {
    return "SparkND scatter into " + table;
  }

  @Override
  public InsertableRelation toInsertableRelation() {
    ScatterOptions options = ScatterOptions.of(info.options());
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
        ScatterOptions.of(info.options()));
  }

  /** Returns the branch that an option or the table's name selects; empty for the session's. */
  private Optional<String> branch() {
    CaseInsensitiveStringMap options = info.options();
    return Optional.ofNullable(options.getOrDefault("branch", iceberg.branch()));
  }
}
