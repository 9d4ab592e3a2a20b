/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.tensor.Tensor;
import org.apache.spark.sql.SparkSession;

/** An engine that runs calls. */
public sealed interface CaseEngine permits LocalEngine, ClusterEngine {
  /** Returns the engine's name in reports, such as {@code cluster, 3 partitions}. */
  String name();

  /**
   * Runs {@code call}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the engine rejects the call
   */
  Tensor run(CaseCall call);

  /**
   * Returns an engine with the kernels of this JVM.
   *
   * @param kernel {@code auto}, {@code vector} or {@code scalar}
   */
  static CaseEngine local(String kernel) {
    return new LocalEngine("local, kernel " + kernel, Kernels.named(kernel));
  }

  /** Returns an engine with distributed tensors of {@code partitioning}. */
  static CaseEngine cluster(SparkSession spark, Partitioning partitioning) {
    return new ClusterEngine(spark, partitioning);
  }
}
