/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A scan of Parquet files with one more filter, which is known only when the query runs. Spark's
 * reader skips row groups and pages by it; other rows may still not pass.
 */
final class FilteredScan {
  private FilteredScan() {}

  /** Returns the batches of {@code plan}; empty if it is no such scan. */
  static Optional<RDD<?>> of(SparkPlan plan, Filter filter) {
    return plan.getClass() == FileSourceScanExec.class && takes((FileSourceScanExec) plan, filter)
        ? Optional.of(batches((FileSourceScanExec) plan, filter))
        : Optional.empty();
  }

  private static boolean takes(FileSourceScanExec scan, Filter filter) {
    List<String> columns = Arrays.asList(scan.requiredSchema().fieldNames());
    return scan.relation().fileFormat().getClass() == ParquetFileFormat.class
        && scan.supportsColumnar()
        && scan.inputRDD() instanceof FileScanRDD
        && ClassicSpark.of(scan.relation().sparkSession())
            .sessionState()
            .conf()
            .parquetFilterPushDown()
        && CollectionConverters.asJava(scan.partitionFilters()).stream()
            .allMatch(PagedScan::isKnown)
        && Arrays.stream(filter.references())
            .allMatch(column -> columns.contains(column) && column.matches("\\w+"));
  }

  @SuppressWarnings("unchecked") // the reader returns batches
  private static RDD<?> batches(FileSourceScanExec scan, Filter filter) {
    HadoopFsRelation relation = scan.relation();
    SparkSession session = relation.sparkSession();
    List<Filter> filters = new ArrayList<>(CollectionConverters.asJava(scan.pushedDownFilters()));
    filters.add(filter);
    FileScanRDD files = (FileScanRDD) scan.inputRDD();
    RDD<?> filtered =
        new FileScanRDD(
            session,
            PagedScan.reader(scan, filters, PagedScan.hadoop(relation)),
            files.filePartitions(),
            files.readSchema(),
            files.metadataColumns(),
            FileScanRDD.$lessinit$greater$default$6(),
            new FileSourceOptions(relation.options()));
    return PagedScan.counted((RDD<ColumnarBatch>) filtered, scan.longMetric("numOutputRows"));
  }
}
