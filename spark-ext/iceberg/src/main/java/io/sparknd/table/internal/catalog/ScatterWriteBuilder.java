/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.table.internal.CatalogErrors;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDynamicOverwrite;
import org.apache.spark.sql.connector.write.SupportsOverwriteV2;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;

/** Builds writes that scatter. Refuses to overwrite, with the statements to use instead. */
record ScatterWriteBuilder(String table, SparkTable iceberg, LogicalWriteInfo info)
    implements WriteBuilder, SupportsOverwriteV2, SupportsDynamicOverwrite {

  @Override
  public WriteBuilder truncate() {
    return new RefusedOverwrite(table);
  }

  @Override
  public WriteBuilder overwrite(Predicate[] predicates) {
    throw CatalogErrors.overwrite(table);
  }

  @Override
  public WriteBuilder overwriteDynamicPartitions() {
    throw CatalogErrors.overwrite(table);
  }

  @Override
  public Write build() {
    return new ScatterInsert(table, iceberg, info);
  }
}
