/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Converts Datasets to RDDs of Spark's internal rows and back, without {@code Row}. */
public final class InternalRows {
  private InternalRows() {}

  /** Returns the rows of {@code dataset}; each is valid only until the next is read. */
  public static JavaRDD<InternalRow> of(Dataset<Row> dataset) {
    return ClassicSpark.of(dataset).queryExecution().toRdd().toJavaRDD();
  }

  /** Returns a Dataset of rows that match {@code schema}. */
  public static Dataset<Row> toDataset(
      SparkSession spark, JavaRDD<InternalRow> rows, StructType schema) {
    return ClassicSpark.of(spark).internalCreateDataFrame(rows.rdd(), schema, false);
  }

  /** Returns whether there is no shuffle between {@code dataset} and its sources. */
  public static boolean isNarrow(Dataset<Row> dataset) {
    return isNarrow(of(dataset).rdd());
  }

  private static boolean isNarrow(RDD<?> rdd) {
    return CollectionConverters.asJava(rdd.dependencies()).stream()
        .allMatch(parent -> !(parent instanceof ShuffleDependency) && isNarrow(parent.rdd()));
  }

  /** Returns a row of these values, which are in Spark's internal form. */
  public static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  /** Converts rows of Spark's public API to internal rows. */
  public static InternalRow[] of(List<Row> rows, StructType schema) {
    ExternalValues values = ExternalValues.of(schema);
    return rows.stream().map(row -> (InternalRow) values.internal(row)).toArray(InternalRow[]::new);
  }

  /** Converts an internal row to a row of Spark's public API, with times of {@code java.time}. */
  public static Row external(InternalRow row, StructType schema) {
    return (Row) Objects.requireNonNull(ExternalValues.of(schema).external(row));
  }

  /** Returns the value of a string column that is not null. */
  public static String string(InternalRow row, int ordinal) {
    return row.getUTF8String(ordinal).toString();
  }

  /** Returns the value of an array-of-bigint column that is not null. */
  public static long[] longs(InternalRow row, int ordinal) {
    return row.getArray(ordinal).toLongArray();
  }

  /** Returns whether an array column is null or has a null. */
  public static boolean hasNull(InternalRow row, int ordinal) {
    if (row.isNullAt(ordinal)) {
      return true;
    }
    ArrayData array = row.getArray(ordinal);
    return IntStream.range(0, array.numElements()).anyMatch(array::isNullAt);
  }

  /** Returns {@code row} with one more column. */
  public static InternalRow append(InternalRow row, Object value) {
    return new JoinedRow(row, row(value));
  }

  /** Returns the value of an integer column that is not null. */
  public static long integer(InternalRow row, int ordinal, DataType type) {
    if (type.equals(DataTypes.LongType)) {
      return row.getLong(ordinal);
    }
    if (type.equals(DataTypes.IntegerType)) {
      return row.getInt(ordinal);
    }
    return type.equals(DataTypes.ShortType) ? row.getShort(ordinal) : row.getByte(ordinal);
  }

  /** Returns the largest value of an integer type. */
  public static long largestInteger(DataType type) {
    if (type.equals(DataTypes.ByteType)) {
      return Byte.MAX_VALUE;
    }
    if (type.equals(DataTypes.ShortType)) {
      return Short.MAX_VALUE;
    }
    return type.equals(DataTypes.IntegerType) ? Integer.MAX_VALUE : Long.MAX_VALUE;
  }

  /** Returns whether {@link #integer} reads columns of {@code type}. */
  public static boolean isInteger(DataType type) {
    return type.equals(DataTypes.LongType)
        || type.equals(DataTypes.IntegerType)
        || type.equals(DataTypes.ShortType)
        || type.equals(DataTypes.ByteType);
  }

  /** Returns the bytes of a row; those of its columns' types if it does not know. */
  public static long bytes(InternalRow row, StructType columns) {
    return row instanceof UnsafeRow own ? own.getSizeInBytes() : columns.defaultSize();
  }
}
