/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.scan.ColumnarTable;
import io.sparknd.table.internal.store.GivenProperties;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.internal.store.TableSelector;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;

/**
 * A table whose appended rows are scattered. {@code UPDATE}, {@code DELETE} and {@code MERGE} are
 * Iceberg's.
 */
public final class ScatterTable extends ColumnarTable {
  private static final String VALID_AT_PROPERTY =
      SnapshotSummary.EXTRA_METADATA_PREFIX + SnapshotProperties.VALID_AT;

  private final String fullName;

  /**
   * Wraps a table.
   *
   * @param fullName full name, quoted as in SQL, with a selector such as {@code branch_x} if the
   *     table was loaded by one
   * @param iceberg the table as Iceberg's catalog loads it
   */
  public ScatterTable(String fullName, SparkTable iceberg) {
    super(iceberg);
    this.fullName = fullName;
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    if (TableSelector.version(identifier(), iceberg().table()).isPresent()) {
      throw CatalogErrors.readOnlyVersion(fullName);
    }
    return new ScatterWriteBuilder(fullName, iceberg(), info);
  }

  private Identifier identifier() {
    List<String> parts = SqlNames.parts(fullName);
    int last = parts.size() - 1;
    return Identifier.of(parts.subList(1, last).toArray(String[]::new), parts.get(last));
  }

  /** Iceberg would write a valid time that is none into the summary of the snapshot, for good. */
  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    GivenProperties.validAt(SparkSession.active(), iceberg().table(), info.options())
        .ifPresent(text -> ScatterOptions.instant(VALID_AT_PROPERTY, text));
    return super.newRowLevelOperationBuilder(info);
  }

  /** Rows of a batch are given to the scatter as a query, not row by row. */
  @Override
  public Set<TableCapability> capabilities() {
    Set<TableCapability> all = EnumSet.copyOf(iceberg().capabilities());
    all.remove(TableCapability.BATCH_WRITE);
    all.add(TableCapability.V1_BATCH_WRITE);
    return all;
  }

  /**
   * Returns the columns without defaults: Spark would insert a column's default where an {@code
   * INSERT} omits the column, and so change a value that the statement does not name.
   */
  @Override
  public Column[] columns() {
    return Arrays.stream(iceberg().columns())
        .map(ScatterTable::withoutDefault)
        .toArray(Column[]::new);
  }

  private static Column withoutDefault(Column column) {
    return column.defaultValue() == null
        ? column
        : Column.create(
            column.name(),
            column.dataType(),
            column.nullable(),
            column.comment(),
            column.metadataInJSON());
  }

  @Override
  public SparkTable copyWithBranch(String branch) {
    return new ScatterTable(fullName, iceberg().copyWithBranch(branch));
  }
}
