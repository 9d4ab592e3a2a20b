/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseMetadataTable;
import org.apache.iceberg.spark.PathIdentifier;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * An Iceberg table whose columns of lists are read in batches. The rows that {@code UPDATE}, {@code
 * DELETE} and {@code MERGE} rewrite are read by Iceberg.
 */
public class ColumnarTable extends SparkTable {
  /** Begins the properties that SparkND gives to its tables. */
  private static final String PREFIX = "sparknd.";

  private final SparkTable iceberg;

  /** Wraps a table, at a snapshot if {@code iceberg} is. */
  public ColumnarTable(SparkTable iceberg) {
    super(iceberg.table());
    this.iceberg = iceberg;
  }

  /** Returns a table that is read in batches if it is one of SparkND, else the table itself. */
  public static Table of(Identifier identifier, Table loaded) {
    return plain(identifier, loaded)
        .filter(ColumnarTable::isOurs)
        .<Table>map(ColumnarTable::new)
        .orElse(loaded);
  }

  private static boolean isOurs(SparkTable loaded) {
    return loaded.table().properties().keySet().stream().anyMatch(key -> key.startsWith(PREFIX));
  }

  /**
   * Returns a table of rows with a name, as Iceberg loads it; empty if it is a table of metadata,
   * is named by its path, or is wrapped already.
   */
  public static Optional<SparkTable> plain(Identifier identifier, Table loaded) {
    return loaded instanceof SparkTable table
            && !(table instanceof ColumnarTable)
            && !(table.table() instanceof BaseMetadataTable)
            && !(identifier instanceof PathIdentifier)
        ? Optional.of(table)
        : Optional.empty();
  }

  /** Returns the table as Iceberg loaded it. */
  protected final SparkTable iceberg() {
    return iceberg;
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return ColumnarScanBuilder.of(iceberg.newScanBuilder(options), iceberg.table(), options);
  }

  @Override
  public SparkTable copyWithBranch(String branch) {
    return new ColumnarTable(iceberg.copyWithBranch(branch));
  }

  @Override
  public String name() {
    return iceberg.name();
  }

  @Override
  public String id() {
    return iceberg.id();
  }

  @Override
  public Long snapshotId() {
    return iceberg.snapshotId();
  }

  @Override
  public String branch() {
    return iceberg.branch();
  }

  @Override
  public String version() {
    return iceberg.version();
  }

  @Override
  @SuppressWarnings("deprecation") // Iceberg's own code calls it
  public StructType schema() {
    return iceberg.schema();
  }

  @Override
  public Column[] columns() {
    return iceberg.columns();
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return iceberg.metadataColumns();
  }

  @Override
  public Transform[] partitioning() {
    return iceberg.partitioning();
  }

  @Override
  public Map<String, String> properties() {
    return iceberg.properties();
  }

  @Override
  public Constraint[] constraints() {
    return iceberg.constraints();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return iceberg.capabilities();
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return iceberg.newWriteBuilder(info);
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    return iceberg.newRowLevelOperationBuilder(info);
  }

  @Override
  public boolean canDeleteWhere(Predicate[] predicates) {
    return iceberg.canDeleteWhere(predicates);
  }

  @Override
  public void deleteWhere(Predicate[] predicates) {
    iceberg.deleteWhere(predicates);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnarTable table
        && table.getClass() == getClass()
        && iceberg.equals(table.iceberg);
  }

  @Override
  public int hashCode() {
    return iceberg.hashCode();
  }

  @Override
  public String toString() {
    return iceberg.toString();
  }
}
