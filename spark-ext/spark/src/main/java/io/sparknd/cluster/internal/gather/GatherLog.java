/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.metrics.SparkNdMetric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs gathers for which no strategy is chosen. */
final class GatherLog {
  private static final Logger LOG = LoggerFactory.getLogger(GatherLog.class);

  private GatherLog() {}

  /**
   * Counts a gather whose indices were validated.
   *
   * @param tensor describes the tensor
   * @param strategy how slices and indices come together
   */
  static void add(Object tensor, String strategy) {
    SparkNdMetric.GATHERS.add(1);
    LOG.atInfo()
        .addKeyValue("tensor", tensor)
        .addKeyValue("strategy", strategy)
        .log("gather from {}: {}", tensor, strategy);
  }
}
