/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.functions;

/** A scatter that takes some seconds, into a tensor on two workers. */
final class LargeScatter {
  private static final int ROWS = 100_000;
  private static final int WIDTH = 16;
  private static final int PARTITIONS = 8;
  private static final int VALUES = 8;
  private static final int SOURCES = 24;
  private static final int FEW = 1_000_000;
  private static final int MANY = 16_000_000;

  /**
   * The shuffle files of a task are larger than the limit of bin/cluster, twice the engine's jar.
   */
  private static final int MORE = 40_000_000;

  /** The seed of SQL's {@code xxhash64}. */
  private static final long SEED = 42;

  private final SparkSession spark;
  private final Signal signal;

  LargeScatter(SparkSession spark, Signal signal) {
    this.spark = spark;
    this.signal = signal;
  }

  /**
   * Checks that the result is exact if a worker is lost during the scatter.
   *
   * @param lost how the worker is lost
   */
  String withoutAWorker(String lost) {
    DistributedTensor before = scatter(zeros(), FEW);
    signal.arm();
    DistributedTensor after = scatter(before, MANY);
    compare(after, FEW, MANY);
    if (signal.lost() == 0) {
      throw new DrillFailure("no worker was lost, so the step tested nothing");
    }
    return String.format(
        "worker %s during a scatter of %,d updates: the result is bit-exact", lost, MANY);
  }

  /**
   * Checks that, if a worker's disk is full, the result is exact or the scatter fails without
   * effect.
   */
  String withoutDisk() {
    DistributedTensor before = scatter(zeros(), FEW);
    String end;
    try {
      compare(scatter(before, MORE), FEW, MORE);
      end = "the result is bit-exact";
    } catch (DrillFailure e) {
      throw e;
    } catch (Exception e) {
      end = "it fails: " + rootCause(e);
    }
    compare(before, FEW);
    if (signal.failed() == 0) {
      throw new DrillFailure("no task failed, so the step tested nothing");
    }
    return String.format(
        "disk full during a scatter of %,d updates: %s; the previous version is unchanged",
        MORE, end);
  }

  private static String rootCause(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = String.valueOf(cause.getMessage());
    return text.lines().findFirst().orElse(text);
  }

  private DistributedTensor zeros() {
    return DistributedTensor.zeros(
        spark, DType.FLOAT32, Shape.of(ROWS, WIDTH), Partitioning.of(PARTITIONS));
  }

  private DistributedTensor scatter(DistributedTensor tensor, long updates) {
    Dataset<Row> rows =
        spark
            .range(0, updates, 1, SOURCES)
            .select(
                functions
                    .pmod(functions.xxhash64(functions.col("id")), functions.lit(ROWS))
                    .as("row"),
                functions
                    .array_repeat(functions.expr("float(id % " + VALUES + ")"), WIDTH)
                    .as("value"));
    return tensor.scatter(Scatter.add(), rows, TensorColumns.of("value", "row"));
  }

  /** Compares a tensor with sums computed by a loop; sums of small integers are exact. */
  private static void compare(DistributedTensor tensor, long... updates) {
    float[] expected = new float[ROWS];
    for (long count : updates) {
      for (long id = 0; id < count; id++) {
        expected[(int) Math.floorMod(XXH64.hashLong(id, SEED), (long) ROWS)] += id % VALUES;
      }
    }
    float[] found = (float[]) tensor.collect().array();
    for (int i = 0; i < found.length; i++) {
      if (found[i] != expected[i / WIDTH]) {
        throw new DrillFailure(
            String.format("row %d is %s, expected %s", i / WIDTH, found[i], expected[i / WIDTH]));
      }
    }
  }
}
