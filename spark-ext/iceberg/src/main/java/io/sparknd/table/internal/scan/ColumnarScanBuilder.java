/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.table.internal.file.ChecksumVerification;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkReadConf;
import org.apache.iceberg.spark.source.SparkScanBuilder;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Builds the scan that Iceberg builds, to be read in batches if it has columns of lists. */
public final class ColumnarScanBuilder
    implements SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownLimit,
        SupportsPushDownAggregates {
  private final SparkScanBuilder iceberg;
  private final ChecksumVerification checks;
  private final int mostRows;

  private ColumnarScanBuilder(SparkScanBuilder iceberg, ChecksumVerification checks, int mostRows) {
    this.iceberg = iceberg;
    this.checks = checks;
    this.mostRows = mostRows;
  }

  /**
   * Returns a builder of the same scans.
   *
   * @param iceberg Iceberg's builder, which is returned unless it is known, or if the options, the
   *     table or the session turn off Iceberg's own reads in batches
   */
  public static ScanBuilder of(ScanBuilder iceberg, Table table, CaseInsensitiveStringMap options) {
    SparkSession spark = SparkSession.active();
    SparkReadConf settings = new SparkReadConf(spark, table, options);
    if (!(iceberg instanceof SparkScanBuilder known) || !settings.parquetVectorizationEnabled()) {
      return iceberg;
    }
    ChecksumVerification checks =
        SparkNdSetting.VERIFY_CHECKSUMS.isTrueIn(spark)
            ? ChecksumVerification.VERIFIED
            : ChecksumVerification.UNVERIFIED;
    return new ColumnarScanBuilder(known, checks, settings.parquetBatchSize());
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    return iceberg.pushPredicates(predicates);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return iceberg.pushedPredicates();
  }

  @Override
  public void pruneColumns(StructType requiredSchema) {
    iceberg.pruneColumns(requiredSchema);
  }

  @Override
  public boolean pushLimit(int limit) {
    return iceberg.pushLimit(limit);
  }

  @Override
  public boolean isPartiallyPushed() {
    return iceberg.isPartiallyPushed();
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return iceberg.supportCompletePushDown(aggregation);
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    return iceberg.pushAggregation(aggregation);
  }

  @Override
  public Scan build() {
    Scan scan = iceberg.build();
    return ColumnarScan.of(scan, checks, mostRows).orElse(scan);
  }
}
