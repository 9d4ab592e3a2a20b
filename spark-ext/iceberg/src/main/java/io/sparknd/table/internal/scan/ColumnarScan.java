/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.table.internal.file.ChecksumVerification;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportOrdering;
import org.apache.spark.sql.connector.read.SupportsReportPartitioning;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A scan that Iceberg plans, prunes and reports, and whose files may be read in batches. */
final class ColumnarScan
    implements SupportsReportStatistics, SupportsReportPartitioning, SupportsRuntimeV2Filtering {
  private final Scan iceberg;
  private final ChecksumVerification checks;
  private final int mostRows;

  private ColumnarScan(Scan iceberg, ChecksumVerification checks, int mostRows) {
    this.iceberg = iceberg;
    this.checks = checks;
    this.mostRows = mostRows;
  }

  /**
   * Returns a scan of the same rows.
   *
   * @param mostRows the most rows of a batch
   * @return empty if it cannot or need not be read in batches
   */
  static Optional<Scan> of(Scan iceberg, ChecksumVerification checks, int mostRows) {
    boolean isKnown =
        iceberg instanceof SupportsReportStatistics
            && iceberg instanceof SupportsReportPartitioning
            && iceberg instanceof SupportsRuntimeV2Filtering
            && !(iceberg instanceof SupportsReportOrdering);
    StructField[] columns = iceberg.readSchema().fields();
    boolean fits =
        isKnown
            && Arrays.stream(columns).anyMatch(column -> column.dataType() instanceof ArrayType)
            && Arrays.stream(columns).allMatch(column -> isReadable(column.dataType()));
    return fits ? Optional.of(new ColumnarScan(iceberg, checks, mostRows)) : Optional.empty();
  }

  private static boolean isReadable(DataType type) {
    return type instanceof ArrayType list
        ? isReadable(list.elementType())
        : !(type instanceof StructType || type instanceof MapType);
  }

  @Override
  public StructType readSchema() {
    return iceberg.readSchema();
  }

  @Override
  public String description() {
    return iceberg.description() + " arrays in batches";
  }

  @Override
  public Batch toBatch() {
    return new ColumnarScanBatch(iceberg.toBatch(), checks, mostRows);
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    return iceberg.toMicroBatchStream(checkpointLocation);
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return Stream.concat(
            Stream.of(new BatchedSplits()), Stream.of(iceberg.supportedCustomMetrics()))
        .toArray(CustomMetric[]::new);
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return iceberg.reportDriverMetrics();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return iceberg.columnarSupportMode();
  }

  @Override
  public Statistics estimateStatistics() {
    return ((SupportsReportStatistics) iceberg).estimateStatistics();
  }

  @Override
  public Partitioning outputPartitioning() {
    return ((SupportsReportPartitioning) iceberg).outputPartitioning();
  }

  @Override
  public NamedReference[] filterAttributes() {
    return ((SupportsRuntimeV2Filtering) iceberg).filterAttributes();
  }

  @Override
  public void filter(Predicate[] predicates) {
    ((SupportsRuntimeV2Filtering) iceberg).filter(predicates);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnarScan that && iceberg.equals(that.iceberg);
  }

  @Override
  public int hashCode() {
    return iceberg.hashCode();
  }

  @Override
  public String toString() {
    return iceberg + " arrays in batches";
  }
}
