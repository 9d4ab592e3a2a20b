/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Whether the cost per update stays constant as updates and partitions grow. */
final class Scale {
  private static final int ROWS = 1_000_000;
  private static final int WIDTH = 16;
  private static final int SOURCES = 8;
  private static final int FEW_PARTITIONS = 8;
  private static final int SOME_PARTITIONS = 64;
  private static final int MANY_PARTITIONS = 1000;
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "id");

  private final SparkSession spark;
  private final int updates;
  private final int calls;

  /**
   * @param updates the updates of one call
   * @param calls the number of such calls, compared with one call that makes all their updates
   */
  Scale(SparkSession spark, int updates, int calls) {
    this.spark = spark;
    this.updates = updates;
    this.calls = calls;
  }

  List<SparkWork> works() {
    return List.of(many(), partitions(), gathers());
  }

  private SparkWork many() {
    String title = String.format("add %,d x %,d updates of 16 float32", calls, updates);
    return new SparkWork(
        "updates",
        title,
        1.3,
        new QueryRounds(1, 3),
        () ->
            List.of(
                new Adds("one call", Role.OURS, 1, (long) updates * calls, FEW_PARTITIONS),
                new Adds(calls + " calls", Role.CORRECT, calls, updates, FEW_PARTITIONS)));
  }

  private SparkWork partitions() {
    String title = String.format("add %,d updates, %,d partitions", updates, MANY_PARTITIONS);
    return new SparkWork(
        "partitions",
        title,
        1,
        new QueryRounds(1, 5),
        () ->
            List.of(
                new Adds("SparkND", Role.OURS, 1, updates, MANY_PARTITIONS),
                new Rows(MANY_PARTITIONS, Role.CORRECT),
                new Adds("SparkND, 8 partitions", Role.YARDSTICK, 1, updates, FEW_PARTITIONS),
                new Rows(FEW_PARTITIONS, Role.YARDSTICK)));
  }

  private SparkWork gathers() {
    String title =
        String.format("gather %,d rows by a GatherCall, %,d partitions", updates, MANY_PARTITIONS);
    return new SparkWork(
        "gathers",
        title,
        1,
        new QueryRounds(1, 5),
        () ->
            List.of(
                new Gathers("SparkND", Role.OURS, MANY_PARTITIONS),
                new Joined(MANY_PARTITIONS, Role.CORRECT),
                new Gathers("SparkND, 64 partitions", Role.YARDSTICK, SOME_PARTITIONS),
                new Joined(SOME_PARTITIONS, Role.YARDSTICK)));
  }

  /** Updates {@code [from, from + count)} of a sequence: random rows, small integer values. */
  private Dataset<Row> updates(long from, long count) {
    return spark
        .range(from, from + count, 1, SOURCES)
        .select(
            functions.pmod(functions.xxhash64(functions.col("id")), functions.lit(ROWS)).as("id"),
            functions
                .array_repeat(functions.col("id").mod(functions.lit(8)).cast("float"), WIDTH)
                .as("value"));
  }

  /** SparkND: all updates, in one call or in several. */
  private final class Adds implements SparkPeer {
    private final String name;
    private final Role role;
    private final int times;
    private final long count;
    private final int partitions;

    Adds(String name, Role role, int times, long count, int partitions) {
      this.name = name;
      this.role = role;
      this.times = times;
      this.count = count;
      this.partitions = partitions;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Role role() {
      return role;
    }

    @Override
    public void run() {
      added();
    }

    private DistributedTensor added() {
      DistributedTensor tensor =
          DistributedTensor.zeros(
              spark, DType.FLOAT32, Shape.of(ROWS, WIDTH), Partitioning.of(partitions));
      for (int call = 0; call < times; call++) {
        DistributedTensor next =
            tensor.scatter(Scatter.add(), updates(call * count, count), COLUMNS);
        tensor.close();
        tensor = next;
      }
      return tensor;
    }

    @Override
    public OptionalLong answer() {
      double sum = 0;
      for (float element : (float[]) added().collect().array()) {
        sum += element;
      }
      return OptionalLong.of(Math.round(sum));
    }
  }

  /** Spark's exchange of as many rows, without further work. */
  private final class Rows implements SparkPeer {
    private final int partitions;
    private final Role role;

    Rows(int partitions, Role role) {
      this.partitions = partitions;
      this.role = role;
    }

    @Override
    public String name() {
      return "repartition(" + partitions + ", id) of rows";
    }

    @Override
    public Role role() {
      return role;
    }

    @Override
    public void run() {
      Dataset<Row> rows = updates(0, updates);
      rows.repartition(partitions, rows.col("id")).write().format("noop").mode("overwrite").save();
    }

    @Override
    public OptionalLong answer() {
      return OptionalLong.empty();
    }
  }

  /** Rows {@code [0, ROWS)} with small integer values. */
  private Dataset<Row> rows() {
    return spark
        .range(0, ROWS, 1, SOURCES)
        .select(
            functions.col("id"),
            functions
                .array_repeat(functions.col("id").mod(functions.lit(8)).cast("float"), WIDTH)
                .as("value"));
  }

  /** SparkND: gathers random rows by a call on the driver. The tensor is created once. */
  private final class Gathers implements SparkPeer {
    private final String name;
    private final Role role;
    private final int partitions;
    private DistributedTensor tensor;
    private GatherCall call;

    Gathers(String name, Role role, int partitions) {
      this.name = name;
      this.role = role;
      this.partitions = partitions;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Role role() {
      return role;
    }

    @Override
    public void run() {
      PartitionTasks.run(gathered().blocks().rdd());
    }

    private DistributedTensor gathered() {
      if (tensor == null) {
        long[] ids =
            updates(0, updates).select("id").as(Encoders.LONG()).collectAsList().stream()
                .mapToLong(id -> id)
                .toArray();
        call = GatherCall.of(Gather.strict(), Tensor.of(Shape.of(updates, 1), ids));
        tensor =
            DistributedTensor.zeros(
                    spark, DType.FLOAT32, Shape.of(ROWS, WIDTH), Partitioning.of(partitions))
                .scatter(Scatter.update(), rows(), COLUMNS);
      }
      return tensor.gather(call);
    }

    @Override
    public OptionalLong answer() {
      double sum = 0;
      for (float element : (float[]) gathered().collect().array()) {
        sum += element;
      }
      return OptionalLong.of(Math.round(sum));
    }
  }

  /** Spark: joins as many random ids with cached rows. */
  private final class Joined implements SparkPeer {
    private final int partitions;
    private final Role role;
    private Dataset<Row> cached;

    Joined(int partitions, Role role) {
      this.partitions = partitions;
      this.role = role;
    }

    @Override
    public String name() {
      return "shuffled join, " + partitions + " partitions";
    }

    @Override
    public Role role() {
      return role;
    }

    @Override
    public void run() {
      joined().write().format("noop").mode("overwrite").save();
    }

    private Dataset<Row> joined() {
      if (cached == null) {
        cached = rows().cache();
        cached.count();
      }
      Dataset<Row> ids = updates(0, updates).select("id");
      return cached
          .repartition(partitions, functions.col("id"))
          .hint("shuffle_hash")
          .join(ids.repartition(partitions, functions.col("id")), "id");
    }

    @Override
    public OptionalLong answer() {
      Row sum = joined().selectExpr("sum(aggregate(value, 0D, (a, v) -> a + v))").first();
      return OptionalLong.of(Math.round(sum.getDouble(0)));
    }
  }
}
