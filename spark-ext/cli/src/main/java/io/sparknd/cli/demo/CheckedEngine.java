/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cli.support.LocalLocation;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.GatherCall;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;

/** Runs every call on the cluster and with the local kernel, and times both. */
final class CheckedEngine implements AutoCloseable {
  private final SparkSession spark;
  private final Partitioning partitioning;
  private final StepTimings timings;
  private final Kernels kernels = Kernels.auto();
  private final List<CheckedTensor> results = new ArrayList<>();

  CheckedEngine(SparkSession spark, Partitioning partitioning, StepTimings timings) {
    this.spark = spark;
    this.partitioning = partitioning;
    this.timings = timings;
  }

  /** Scatters into a tensor of one value; on the cluster its blocks are never sent. */
  CheckedTensor scatter(String name, ConstantTensor start, ScatterCall call) {
    DistributedTensor cluster =
        DistributedTensor.fill(spark, start.dtype(), start.shape(), start.value(), partitioning);
    return scatter(name, cluster, start.local(), call);
  }

  /** Scatters into the tensor of an {@code .npy} file, which the cluster reads by itself. */
  CheckedTensor scatter(String name, Path file, Tensor local, ScatterCall call) {
    DistributedTensor cluster =
        DistributedTensor.fromNpy(spark, LocalLocation.of(file), partitioning);
    return scatter(name, cluster, local, call);
  }

  private CheckedTensor scatter(
      String name, DistributedTensor start, Tensor local, ScatterCall call) {
    String made =
        "scatter-%s of %s at %s"
            .formatted(call.how().reduction(), of(call.updates()), of(call.indices()));
    DistributedTensor next = timings.measure("scatter " + name, () -> start.scatter(call));
    Tensor collected = timings.measure("collect " + name, next::collect);
    return checked(name, made, next, collected, () -> kernels.scatter(local, call));
  }

  /** Gathers from a result of this engine. */
  CheckedTensor gather(String name, CheckedTensor from, GatherCall call) {
    String made = "gather from %s at %s".formatted(from.name(), of(call.indices()));
    DistributedTensor slices = from.cluster().gather(call);
    Tensor collected = timings.measure("gather " + name, slices::collect);
    return checked(name, made, slices, collected, () -> kernels.gather(from.local(), call));
  }

  private static String of(Tensor tensor) {
    return tensor.dtype().toString() + tensor.shape();
  }

  private CheckedTensor checked(
      String name,
      String made,
      DistributedTensor cluster,
      Tensor collected,
      Supplier<Tensor> kernel) {
    Tensor local = timings.measure("local kernel: " + name, kernel);
    CheckedTensor result = new CheckedTensor(name, made, cluster, collected, local);
    results.add(result);
    return result;
  }

  /** Returns all results of this engine, in order. */
  List<CheckedTensor> results() {
    return List.copyOf(results);
  }

  /** Releases the blocks of every result. */
  @Override
  public void close() {
    results.forEach(result -> result.cluster().close());
  }
}
