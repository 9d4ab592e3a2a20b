/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Benchmark G: one step of a loop, which adds few rows to a tensor in memory. */
final class LoopSteps {
  private static final int STEP = 8192;

  private final SparkSession spark;
  private final Size size;
  private final StepRows updates;

  LoopSteps(SparkSession spark, Size size) {
    this.spark = spark;
    this.size = size;
    this.updates = StepRows.of(size.rows(), STEP);
  }

  SparkWork work() {
    String title = String.format("one step of %,d rows, tensor in memory", STEP);
    return new SparkWork("G", title, 1.5, QueryRounds.STEPS, this::peers);
  }

  private List<SparkPeer> peers() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    return List.of(
        new Step(),
        new EmptyShuffle(spark, 1),
        new SteppedLoop<>(new BlockSteps(context, updates), updates.sum()),
        new SteppedLoop<>(new PairSteps(context, updates), updates.sum()),
        new SteppedLoop<>(new JoinedSteps(spark, updates), updates.sum()));
  }

  /** SparkND: every run creates the next version and closes the previous one. */
  private final class Step implements SparkPeer {
    private final ScatterCall call;
    private DistributedTensor tensor;

    Step() {
      Shape shape = Shape.of(size.rows(), Size.WIDTH);
      float[] ones = new float[Math.toIntExact(shape.elements())];
      Arrays.fill(ones, 1);
      tensor =
          DistributedTensor.of(
              spark, Tensor.wrap(DType.FLOAT32, shape, ones), Partitioning.of(EmptyShuffle.OWNERS));
      tensor.checkpoint();
      call =
          ScatterCall.of(
              Scatter.add(),
              Tensor.wrap(DType.INT64, Shape.of(STEP, 1), updates.ids()),
              Tensor.fill(DType.FLOAT32, Shape.of(STEP, Size.WIDTH), 1));
    }

    @Override
    public String name() {
      return "SparkND";
    }

    @Override
    public Role role() {
      return Role.OURS;
    }

    @Override
    public void run() {
      DistributedTensor next = tensor.scatter(call);
      tensor.close();
      tensor = next;
    }

    @Override
    public boolean goesOn() {
      return true;
    }

    /**
     * Returns the difference between the increase of the sum of all elements and the expected one.
     */
    @Override
    public OptionalLong answer() {
      double before = sum();
      run();
      return OptionalLong.of(Math.round(sum() - before) - (long) STEP * Size.WIDTH);
    }

    private double sum() {
      double sum = 0;
      for (float element : (float[]) tensor.collect().array()) {
        sum += element;
      }
      return sum;
    }
  }
}
