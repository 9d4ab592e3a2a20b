/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.table.internal.CatalogErrors;
import org.apache.spark.sql.connector.write.V1Write;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.sources.InsertableRelation;

/**
 * A write that would replace all rows, which is refused: {@code INSERT OVERWRITE}, or a stream in
 * output mode {@code complete}. Only Spark's next call tells which it is.
 *
 * @param table full name of the table
 */
record RefusedOverwrite(String table) implements WriteBuilder, V1Write {

  @Override
  public Write build() {
    return this;
  }

  @Override
  public InsertableRelation toInsertableRelation() {
    throw CatalogErrors.overwrite(table);
  }

  @Override
  public StreamingWrite toStreaming() {
    throw CatalogErrors.completeMode(table);
  }
}
