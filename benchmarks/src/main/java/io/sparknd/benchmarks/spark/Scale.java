/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.Partitioning;
import io.sparknd.cluster.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Whether cost per update stays the same as updates, and partitions, become many. */
final class Scale {
  private static final int ROWS = 1_000_000;
  private static final int WIDTH = 16;
  private static final int SOURCES = 8;
  private static final int FEW_PARTITIONS = 8;
  private static final int MANY_PARTITIONS = 1000;
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "id");

  private final SparkSession spark;
  private final int updates;
  private final int calls;

  /**
   * @param updates in one call
   * @param calls that make as many updates together, in the call that is compared with them
   */
  Scale(SparkSession spark, int updates, int calls) {
    this.spark = spark;
    this.updates = updates;
    this.calls = calls;
  }

  List<SparkWork> works() {
    return List.of(many(), partitions());
  }

  private SparkWork many() {
    String title = String.format("add %,d x %,d updates of 16 float32", calls, updates);
    return new SparkWork(
        "updates",
        title,
        1.3,
        new Pace(1, 3),
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
        new Pace(1, 5),
        () ->
            List.of(
                new Adds("SparkND", Role.OURS, 1, updates, MANY_PARTITIONS),
                new Rows(MANY_PARTITIONS, Role.CORRECT),
                new Adds("SparkND, 8 partitions", Role.YARDSTICK, 1, updates, FEW_PARTITIONS),
                new Rows(FEW_PARTITIONS, Role.YARDSTICK)));
  }

  /** Updates {@code [from, from + count)} of a sequence: random rows, small whole numbers. */
  private Dataset<Row> updates(long from, long count) {
    return spark
        .range(from, from + count, 1, SOURCES)
        .select(
            functions.pmod(functions.xxhash64(functions.col("id")), functions.lit(ROWS)).as("id"),
            functions
                .array_repeat(functions.col("id").mod(functions.lit(8)).cast("float"), WIDTH)
                .as("value"));
  }

  /** Ours: all updates, in one call or in several. */
  private final class Adds implements Contestant {
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

  /** Spark's own exchange of as many rows, with nothing done to them. */
  private final class Rows implements Contestant {
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
}
