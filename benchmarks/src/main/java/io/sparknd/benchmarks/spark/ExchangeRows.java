/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.cluster.internal.columnar.InternalRows;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * Generates updates of an int64 id and {@link Size#WIDTH} float32 in two partitions, cheaply: a set
 * of values is reused. The set exceeds the compression window, because values of gradients do not
 * repeat.
 */
final class ExchangeRows {
  static final int SOURCES = 2;
  private static final int DIFFERENT = 4096;

  private final SparkSession spark;
  private final Size size;

  ExchangeRows(SparkSession spark, Size size) {
    this.spark = spark;
    this.size = size;
  }

  /** {@code id bigint, value array<float>}. */
  Dataset<Row> arrays() {
    return rows(
        DataTypes.createArrayType(DataTypes.FloatType, false), UnsafeArrayData::fromPrimitiveArray);
  }

  /** {@code id bigint, value binary}: the same values as little-endian bytes. */
  Dataset<Row> bytes() {
    return rows(DataTypes.BinaryType, ExchangeRows::littleEndian);
  }

  /** Pairs of the same ids and values. */
  JavaPairRDD<Long, float[]> pairs() {
    int each = size.exchanged() / SOURCES;
    long slices = size.rows();
    return sources()
        .flatMapToPair(
            source -> {
              float[][] some = values(source);
              return IntStream.range(0, each)
                  .mapToObj(i -> new Tuple2<>(id(i, slices), some[i % some.length]))
                  .iterator();
            });
  }

  /** Makes the value of a row from its elements. */
  @FunctionalInterface
  private interface Encoding extends Function<float[], Object>, Serializable {}

  private Dataset<Row> rows(DataType type, Encoding encoding) {
    int each = size.exchanged() / SOURCES;
    long slices = size.rows();
    StructType schema =
        new StructType().add("id", DataTypes.LongType, false).add("value", type, false);
    JavaRDD<InternalRow> rows =
        sources()
            .flatMap(
                source -> {
                  UnsafeRow[] some = encoded(schema, values(source), encoding);
                  return IntStream.range(0, each)
                      .<InternalRow>mapToObj(i -> renumbered(some[i % some.length], id(i, slices)))
                      .iterator();
                });
    return InternalRows.toDataset(spark, rows, schema);
  }

  private JavaRDD<Integer> sources() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext())
        .parallelize(List.of(0, 1), SOURCES);
  }

  private static UnsafeRow renumbered(UnsafeRow row, long id) {
    row.setLong(0, id);
    return row;
  }

  private static long id(int i, long slices) {
    return (i * 0x9E3779B97F4A7C15L >>> 1) % slices;
  }

  private static UnsafeRow[] encoded(StructType schema, float[][] values, Encoding encoding) {
    UnsafeProjection projection = UnsafeProjection.create(schema);
    UnsafeRow[] rows = new UnsafeRow[values.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = projection.apply(InternalRows.row(0L, encoding.apply(values[i]))).copy();
    }
    return rows;
  }

  private static float[][] values(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] values = new float[DIFFERENT][Size.WIDTH];
    for (float[] value : values) {
      for (int i = 0; i < value.length; i++) {
        value[i] = (float) random.nextDouble();
      }
    }
    return values;
  }

  private static byte[] littleEndian(float[] value) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Float.BYTES * value.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(value);
    return bytes.array();
  }
}
