/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.stream;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The changes of a table as a streaming source, {@code sparknd-changes}. A micro-batch has the rows
 * that differ between two states of the table, with the columns of {@link
 * io.sparknd.table.FeatureTable#changesSince}, or of {@link
 * io.sparknd.table.TensorTable#changesSince}; its offsets are snapshots, which the query's
 * checkpoint holds.
 *
 * <pre>{@code
 * spark.readStream().format("sparknd-changes").load("lake.shop.users")
 * }</pre>
 *
 * <p>Options: {@code path} or {@code table}, the table's name; {@code since-batch} or {@code
 * since-snapshot}, the state to begin after. Without one of these, the query begins with all rows.
 */
public final class ChangesSource implements TableProvider, DataSourceRegister {
  @Override
  public String shortName() {
    return "sparknd-changes";
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return ChangesTable.load(ChangesOptions.of(options)).rows();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return ChangesTable.load(ChangesOptions.of(new CaseInsensitiveStringMap(properties)));
  }
}
