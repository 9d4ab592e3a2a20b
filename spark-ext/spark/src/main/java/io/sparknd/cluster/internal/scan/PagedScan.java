/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import io.sparknd.cluster.internal.columnar.SliceColumns;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.parquet.SliceFileReader;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.SerializableConfiguration;
import scala.Function1;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * A scan of Parquet files whose lists are slices of one shape. Spark's reader decodes the levels of
 * nested values one by one; {@link SliceFileReader} decodes runs of them. Spark still decides which
 * files and splits are read, where, and how missing files are treated.
 */
final class PagedScan {
  /** Bytes of a slice beyond which too few fit a page for a gain. */
  private static final int LARGEST_BYTES = 1 << 18;

  private PagedScan() {}

  /**
   * Returns the batches of {@code plan}.
   *
   * @param slices what every list column holds
   * @param rows the most rows in a batch
   * @return empty if the plan is no such scan, or has columns that are neither slices nor integers
   */
  static Optional<RDD<?>> of(SparkPlan plan, SliceColumns slices, int rows) {
    DType dtype = slices.dtype();
    Shape slice = slices.slice();
    boolean can =
        plan.getClass() == FileSourceScanExec.class
            && SliceFileReader.DTYPES.contains(dtype)
            && slice.rank() > 0
            && slice.elements() > 0
            && slice.elements() * dtype.bytes() <= LARGEST_BYTES;
    if (!can || !isWhole((FileSourceScanExec) plan)) {
      return Optional.empty();
    }
    FileSourceScanExec scan = (FileSourceScanExec) plan;
    return columns(scan.requiredSchema(), dtype, slice)
        .filter(columns -> scan.inputRDD() instanceof FileScanRDD)
        .map(columns -> batches(scan, columns, rows));
  }

  /**
   * Returns whether the scan reads all rows of plain Parquet files, and no columns but those of the
   * files and of the table's partitions.
   */
  private static boolean isWhole(FileSourceScanExec scan) {
    return scan.relation().fileFormat().getClass() == ParquetFileFormat.class
        && scan.supportsColumnar()
        && scan.output().size() == schema(scan).size()
        && scan.dataFilters().isEmpty()
        && CollectionConverters.asJava(scan.partitionFilters()).stream()
            .allMatch(PagedScan::isKnown)
        && !scan.conf().parquetFieldIdReadEnabled();
  }

  /** Returns the columns that are read from files, then the partition columns. */
  private static StructType schema(FileSourceScanExec scan) {
    StructType schema = scan.requiredSchema();
    for (StructField field : scan.relation().partitionSchema().fields()) {
      schema = schema.add(field);
    }
    return schema;
  }

  /** Returns whether {@code filter} does not depend on another query. */
  static boolean isKnown(Expression filter) {
    return !(filter instanceof PlanExpression)
        && CollectionConverters.asJava(filter.children()).stream().allMatch(PagedScan::isKnown);
  }

  private static Optional<List<SliceFileReader.Column>> columns(
      StructType schema, DType dtype, Shape slice) {
    List<SliceFileReader.Column> columns = new ArrayList<>();
    boolean hasSlices = false;
    for (StructField field : schema.fields()) {
      DataType type = field.dataType();
      if (type.equals(DataTypes.LongType) || type.equals(DataTypes.IntegerType)) {
        DType integer = type.equals(DataTypes.LongType) ? DType.INT64 : DType.INT32;
        columns.add(new SliceFileReader.Column(field.name(), integer, Shape.of()));
      } else if (isSlice(type, dtype, slice.rank())) {
        columns.add(new SliceFileReader.Column(field.name(), dtype, slice));
        hasSlices = true;
      } else {
        return Optional.empty();
      }
    }
    return hasSlices ? Optional.of(columns) : Optional.empty();
  }

  private static boolean isSlice(DataType type, DType dtype, int levels) {
    return levels == 0
        ? type.equals(elements(dtype))
        : type instanceof ArrayType array && isSlice(array.elementType(), dtype, levels - 1);
  }

  private static DataType elements(DType dtype) {
    return switch (dtype) {
      case INT32 -> DataTypes.IntegerType;
      case INT64 -> DataTypes.LongType;
      case FLOAT32 -> DataTypes.FloatType;
      default -> DataTypes.DoubleType;
    };
  }

  @SuppressWarnings("unchecked") // the reader returns batches
  private static RDD<?> batches(
      FileSourceScanExec scan, List<SliceFileReader.Column> columns, int rows) {
    HadoopFsRelation relation = scan.relation();
    SparkSession session = relation.sparkSession();
    Configuration hadoop = hadoop(relation);
    FileScanRDD files = (FileScanRDD) scan.inputRDD();
    RDD<?> paged =
        new FileScanRDD(
            session,
            new PagedReader(
                fallback(scan, hadoop), sent(session, hadoop), columns, schema(scan), rows),
            files.filePartitions(),
            files.readSchema(),
            files.metadataColumns(),
            FileScanRDD.$lessinit$greater$default$6(),
            new FileSourceOptions(relation.options()));
    return counted((RDD<ColumnarBatch>) paged, scan.longMetric("numOutputRows"));
  }

  static RDD<?> counted(RDD<ColumnarBatch> batches, SQLMetric rows) {
    return batches
        .toJavaRDD()
        .map(
            batch -> {
              rows.add(batch.numRows());
              return batch;
            })
        .rdd();
  }

  /** Returns the reader that the scan itself uses. */
  private static Function1<PartitionedFile, Iterator<InternalRow>> fallback(
      FileSourceScanExec scan, Configuration hadoop) {
    return reader(scan, CollectionConverters.asJava(scan.pushedDownFilters()), hadoop);
  }

  /**
   * Returns a reader of the scan's batches, which skips row groups and pages by {@code filters}.
   */
  @SuppressWarnings("unchecked") // of a Scala method without Java's generics
  static Function1<PartitionedFile, Iterator<InternalRow>> reader(
      FileSourceScanExec scan, List<Filter> filters, Configuration hadoop) {
    HadoopFsRelation relation = scan.relation();
    return relation
        .fileFormat()
        .buildReaderWithPartitionValues(
            relation.sparkSession(),
            relation.dataSchema(),
            relation.partitionSchema(),
            scan.requiredSchema(),
            CollectionConverters.asScala(filters).toSeq(),
            relation.options().updated(FileFormat.OPTION_RETURNING_BATCH(), "true"),
            hadoop);
  }

  static Configuration hadoop(HadoopFsRelation relation) {
    Configuration hadoop =
        ClassicSpark.of(relation.sparkSession())
            .sessionState()
            .newHadoopConfWithOptions(relation.options());
    if (SparkNdSetting.VERIFY_CHECKSUMS.isTrueIn(relation.sparkSession())) {
      hadoop.setBoolean(ParquetInputFormat.PAGE_VERIFY_CHECKSUM_ENABLED, true);
    }
    return hadoop;
  }

  private static Broadcast<SerializableConfiguration> sent(
      SparkSession session, Configuration hadoop) {
    return session
        .sparkContext()
        .broadcast(
            new SerializableConfiguration(hadoop),
            ClassTag$.MODULE$.apply(SerializableConfiguration.class));
  }
}
