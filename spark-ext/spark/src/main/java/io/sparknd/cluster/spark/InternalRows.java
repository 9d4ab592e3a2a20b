/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import java.util.List;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;

/** Datasets as RDDs of Spark's internal rows and back, without {@code Row}. */
public final class InternalRows {
  private InternalRows() {}

  /** The rows of {@code dataset}; each is valid only until the next is asked for. */
  public static JavaRDD<InternalRow> of(Dataset<Row> dataset) {
    return ClassicSpark.of(dataset).queryExecution().toRdd().toJavaRDD();
  }

  /** A Dataset over rows that match {@code schema}. */
  public static Dataset<Row> toDataset(
      SparkSession spark, JavaRDD<InternalRow> rows, StructType schema) {
    return ClassicSpark.of(spark).internalCreateDataFrame(rows.rdd(), schema, false);
  }

  /** Whether no shuffle stands between {@code dataset} and what it is read from. */
  public static boolean isNarrow(Dataset<Row> dataset) {
    return isNarrow(of(dataset).rdd());
  }

  private static boolean isNarrow(RDD<?> rdd) {
    return CollectionConverters.asJava(rdd.dependencies()).stream()
        .allMatch(parent -> !(parent instanceof ShuffleDependency) && isNarrow(parent.rdd()));
  }

  /** A row of these values, in Spark's internal forms. */
  public static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  /** Rows of Spark's public API, in its internal form. */
  public static InternalRow[] of(List<Row> rows, StructType schema) {
    Function1<Object, Object> converter = CatalystTypeConverters.createToCatalystConverter(schema);
    return rows.stream().map(row -> (InternalRow) converter.apply(row)).toArray(InternalRow[]::new);
  }

  /** A row in the forms of Spark's public API. */
  public static Row external(InternalRow row, StructType schema) {
    return (Row) CatalystTypeConverters.createToScalaConverter(schema).apply(row);
  }

  /** A string that is not null. */
  public static String string(InternalRow row, int ordinal) {
    return row.getUTF8String(ordinal).toString();
  }

  /** An array of bigint that is not null. */
  public static long[] longs(InternalRow row, int ordinal) {
    return row.getArray(ordinal).toLongArray();
  }

  /** {@code row} with one more column. */
  public static InternalRow append(InternalRow row, Object value) {
    return new JoinedRow(row, row(value));
  }

  /** The value of an integer column that is not null. */
  public static long integer(InternalRow row, int ordinal, DataType type) {
    if (type.equals(DataTypes.LongType)) {
      return row.getLong(ordinal);
    }
    if (type.equals(DataTypes.IntegerType)) {
      return row.getInt(ordinal);
    }
    return type.equals(DataTypes.ShortType) ? row.getShort(ordinal) : row.getByte(ordinal);
  }

  /** Whether {@code type} is one that {@link #integer} reads. */
  public static boolean isInteger(DataType type) {
    return type.equals(DataTypes.LongType)
        || type.equals(DataTypes.IntegerType)
        || type.equals(DataTypes.ShortType)
        || type.equals(DataTypes.ByteType);
  }
}
