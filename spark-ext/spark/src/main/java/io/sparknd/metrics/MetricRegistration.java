/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import com.codahale.metrics.MetricRegistry;
import io.sparknd.metrics.SparkNdMetric.Side;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * Registers the metrics of one side in a plugin's registry. The map is static because counting code
 * has no reference to the plugin. A JVM runs one driver or one executor, or both in local mode;
 * their metrics are disjoint.
 */
final class MetricRegistration implements AutoCloseable {
  private static final Map<SparkNdMetric, LongConsumer> CONSUMERS = new ConcurrentHashMap<>();

  private final Map<SparkNdMetric, LongConsumer> own;

  private MetricRegistration(Map<SparkNdMetric, LongConsumer> own) {
    this.own = own;
  }

  static MetricRegistration of(Side side, MetricRegistry registry) {
    Map<SparkNdMetric, LongConsumer> own = new EnumMap<>(SparkNdMetric.class);
    for (SparkNdMetric metric : SparkNdMetric.values()) {
      if (metric.side() == side) {
        own.put(metric, metric.in(registry));
      }
    }
    CONSUMERS.putAll(own);
    return new MetricRegistration(own);
  }

  static void add(SparkNdMetric metric, long value) {
    LongConsumer registered = CONSUMERS.get(metric);
    if (registered != null) {
      registered.accept(value);
    }
  }

  /**
   * Unregisters these metrics, except those registered since by another application of this JVM.
   */
  @Override
  public void close() {
    own.forEach(CONSUMERS::remove);
  }
}
