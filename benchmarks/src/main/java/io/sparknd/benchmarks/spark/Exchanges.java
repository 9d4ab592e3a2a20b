/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.spark.HashPartitioner;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Benchmark F: shuffles generated updates of 264 bytes from two partitions to eight. */
final class Exchanges {
  private static final int OWNERS = 8;
  private static final ClassTag<Long> IDS = ClassTag$.MODULE$.apply(Long.class);
  private static final ClassTag<float[]> VALUES = ClassTag$.MODULE$.apply(float[].class);

  private final SparkSession spark;
  private final Size size;
  private final ExchangeRows rows;

  Exchanges(SparkSession spark, Size size) {
    this.spark = spark;
    this.size = size;
    this.rows = new ExchangeRows(spark, size);
  }

  SparkWork work() {
    String title = String.format("exchange %,d updates of 264 bytes", size.exchanged());
    return new SparkWork("F", title, 0.6, this::peers);
  }

  private List<SparkPeer> peers() {
    return List.of(
        new Batches(),
        new RowShuffle("repartition(8, id) of rows", rows::arrays),
        new RowShuffle("repartition(8, id) of rows of bytes", rows::bytes),
        new PairShuffle(),
        new FileExchange(rows.pairs(), OWNERS, Path.of(System.getProperty("java.io.tmpdir"))));
  }

  /** SparkND's exchange: batches of primitive arrays. */
  private final class Batches implements SparkPeer {
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
              rows.arrays(),
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

  /**
   * Spark's exchange of rows.
   *
   * @param updates makes them for each run
   */
  private record RowShuffle(String name, Supplier<Dataset<Row>> updates) implements SparkPeer {
    private Dataset<Row> shuffled() {
      Dataset<Row> all = updates.get();
      return all.repartition(OWNERS, all.col("id"));
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

  /** Spark's exchange of pairs, by Kryo. */
  private final class PairShuffle implements SparkPeer {
    private ShuffledRDD<Long, float[], float[]> shuffled() {
      return new ShuffledRDD<Long, float[], float[]>(
              rows.pairs().rdd(), new HashPartitioner(OWNERS), IDS, VALUES, VALUES)
          .setSerializer(new KryoSerializer(spark.sparkContext().getConf()));
    }

    @Override
    public String name() {
      return "RDD of pairs by Kryo";
    }

    @Override
    public Role role() {
      return Role.CORRECT;
    }

    @Override
    public void run() {
      answer();
    }

    @Override
    public OptionalLong answer() {
      return OptionalLong.of(shuffled().count());
    }
  }
}
