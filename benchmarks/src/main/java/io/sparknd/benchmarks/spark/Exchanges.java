/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Benchmark F: shuffles generated updates of 264 bytes from two partitions to eight. */
final class Exchanges {
  private static final int SOURCES = 2;
  private static final int OWNERS = 8;
  private static final int DIFFERENT = 4096;
  private static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("value", DataTypes.createArrayType(DataTypes.FloatType, false), false);

  private final SparkSession spark;
  private final Size size;

  Exchanges(SparkSession spark, Size size) {
    this.spark = spark;
    this.size = size;
  }

  SparkWork work() {
    String title = String.format("exchange %,d updates of 264 bytes", size.exchanged());
    return new SparkWork("F", title, 0.6, () -> List.of(new Batches(), new RowShuffle()));
  }

  /**
   * Generates rows cheaply: reuses a set of UnsafeRows and changes their ids in place. The set
   * exceeds the compression window, because values of gradients do not repeat.
   */
  private Dataset<Row> updates() {
    int each = size.exchanged() / SOURCES;
    long slices = size.rows();
    JavaRDD<InternalRow> rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(0, 1), SOURCES)
            .flatMap(
                source -> {
                  UnsafeRow[] some = rows(source);
                  return IntStream.range(0, each)
                      .<InternalRow>mapToObj(
                          i -> {
                            UnsafeRow row = some[i % some.length];
                            row.setLong(0, (i * 0x9E3779B97F4A7C15L >>> 1) % slices);
                            return row;
                          })
                      .iterator();
                });
    return InternalRows.toDataset(spark, rows, SCHEMA);
  }

  private static UnsafeRow[] rows(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    UnsafeProjection projection = UnsafeProjection.create(SCHEMA);
    UnsafeRow[] rows = new UnsafeRow[DIFFERENT];
    for (int i = 0; i < rows.length; i++) {
      float[] value = new float[Size.WIDTH];
      for (int j = 0; j < value.length; j++) {
        value[j] = (float) random.nextDouble();
      }
      UnsafeArrayData array = UnsafeArrayData.fromPrimitiveArray(value);
      rows[i] = projection.apply(InternalRows.row(0L, array)).copy();
    }
    return rows;
  }

  /** SparkND's exchange: batches of primitive arrays. */
  private final class Batches implements Contestant {
    private long arrived;

    @Override
    public String name() {
      return "SparkND batches";
    }

    @Override
    public Role role() {
      return Role.OURS;
    }

    @Override
    public void run() {
      arrived =
          ExchangeProbe.run(
              updates(),
              TensorColumns.of("value", "id"),
              Shape.of(size.rows(), Size.WIDTH),
              Partitioning.of(OWNERS));
    }

    @Override
    public OptionalLong answer() {
      run();
      return OptionalLong.of(arrived);
    }
  }

  /** Spark's exchange of rows. */
  private final class RowShuffle implements Contestant {
    private Dataset<Row> shuffled() {
      Dataset<Row> updates = updates();
      return updates.repartition(OWNERS, updates.col("id"));
    }

    @Override
    public String name() {
      return "repartition(8, id) of rows";
    }

    @Override
    public Role role() {
      return Role.CORRECT;
    }

    @Override
    public void run() {
      shuffled().write().format("noop").mode("overwrite").save();
    }

    @Override
    public OptionalLong answer() {
      return OptionalLong.of(shuffled().count());
    }
  }
}
