/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.Tensor;
import org.apache.spark.sql.SparkSession;

/** Runs calls on distributed tensors of one partitioning. */
record ClusterEngine(SparkSession spark, Partitioning partitioning) implements CaseEngine {
  @Override
  public String name() {
    return "cluster, "
        + partitioning.partitions()
        + " partitions, blocks of "
        + partitioning.blockBytes()
        + " bytes";
  }

  @Override
  public Tensor run(CaseCall call) {
    if (call instanceof CaseCall.ScatterInto scatter) {
      try (DistributedTensor data = DistributedTensor.of(spark, scatter.data(), partitioning);
          DistributedTensor result = data.scatter(scatter.call())) {
        return result.collect();
      }
    }
    if (call instanceof CaseCall.ScatterIntoZeros scatter) {
      try (DistributedTensor zeros =
              DistributedTensor.zeros(spark, scatter.dtype(), scatter.shape(), partitioning);
          DistributedTensor result = zeros.scatter(scatter.call())) {
        return result.collect();
      }
    }
    if (call instanceof CaseCall.GatherFrom gather) {
      try (DistributedTensor data = DistributedTensor.of(spark, gather.data(), partitioning);
          DistributedTensor result = data.gather(gather.call())) {
        return result.collect();
      }
    }
    if (call instanceof CaseCall.LookupIn lookup) {
      try (DistributedTensor params = DistributedTensor.of(spark, lookup.params(), partitioning)) {
        return new ClusterLookup(spark, params, lookup.call()).run(partitioning.partitions());
      }
    }
    // no tensor to distribute: the driver resolves the indices of a call to offsets
    return LocalEngine.offsets((CaseCall.OffsetsInto) call);
  }
}
