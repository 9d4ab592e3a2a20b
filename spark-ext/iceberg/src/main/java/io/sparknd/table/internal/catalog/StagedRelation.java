/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;

/** The rows of an epoch, with their size: Spark takes an RDD of unknown size for a huge one. */
final class StagedRelation extends BaseRelation implements TableScan {
  private final SparkSession spark;
  private final RDD<InternalRow> rows;
  private final StructType columns;
  private final long bytes;

  private StagedRelation(
      SparkSession spark, RDD<InternalRow> rows, StructType columns, long bytes) {
    this.spark = spark;
    this.rows = rows;
    this.columns = columns;
    this.bytes = bytes;
  }

  static Dataset<Row> toDataset(
      SparkSession spark, RDD<InternalRow> rows, StructType columns, long bytes) {
    return spark.baseRelationToDataFrame(new StagedRelation(spark, rows, columns, bytes));
  }

  @Override
  public SQLContext sqlContext() {
    return spark.sqlContext();
  }

  @Override
  public StructType schema() {
    return columns;
  }

  @Override
  public long sizeInBytes() {
    return bytes;
  }

  @Override
  public boolean needConversion() {
    return false;
  }

  /** Returns internal rows, which Spark takes as they are if {@link #needConversion} is false. */
  @Override
  @SuppressWarnings("unchecked")
  public RDD<Row> buildScan() {
    return (RDD<Row>) (RDD<?>) rows;
  }
}
