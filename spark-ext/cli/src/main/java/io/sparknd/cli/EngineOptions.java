/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.cli.support.CliSession;
import io.sparknd.cluster.options.Partitioning;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select where a call runs. */
final class EngineOptions {
  /** The engine that runs a call. */
  enum Engine {
    LOCAL,
    CLUSTER
  }

  @Option(
      names = "--engine",
      paramLabel = "local|cluster",
      defaultValue = "cluster",
      description = "local: this JVM alone; cluster: Spark. Default: cluster.")
  Engine engine;

  @Option(
      names = "--master",
      paramLabel = "URL",
      defaultValue = "${sys:spark.master:-local[*]}",
      description = {
        "Spark master URL. Default: that of spark-submit, else local[*], all cores of "
            + "this machine."
      })
  String master;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of partitions of the tensor. Default: chosen by size.")
  int partitions;

  @Option(
      names = "--kernel",
      paramLabel = "auto|vector|scalar|cudf",
      description =
          "Kernel: auto, vector, scalar or cudf. Default: spark.sparknd.kernel, else auto, the "
              + "fastest CPU kernel available.")
  @Nullable String kernel;

  /** Returns the kernel of this JVM. */
  String localKernel() {
    return CliSession.kernelOr(kernel, Map.of());
  }

  boolean isLocal() {
    return engine == Engine.LOCAL;
  }

  Partitioning partitioning() {
    return Partitioning.of(partitions);
  }

  CliSession session() {
    return CliSession.open(master, kernel).withProgress();
  }

  /** Returns the text for the report, such as {@code cluster, local[*]}. */
  @Override
  public String toString() {
    return isLocal() ? "local" : "cluster, " + master;
  }
}
