/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import com.codahale.metrics.MetricRegistry;
import io.sparknd.metrics.SparkNdMetric.Side;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * The metrics of one side in the registry of a plugin. Static, since what counts knows of no
 * plugin: a JVM has one driver or one executor, or in local mode both, whose metrics are others.
 */
final class MetricRegistration implements AutoCloseable {
  private static final Map<SparkNdMetric, LongConsumer> TOLD = new ConcurrentHashMap<>();

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
    TOLD.putAll(own);
    return new MetricRegistration(own);
  }

  static void told(SparkNdMetric metric, long value) {
    LongConsumer registered = TOLD.get(metric);
    if (registered != null) {
      registered.accept(value);
    }
  }

  /** Forgets them, but not those that another application of this JVM has registered since. */
  @Override
  public void close() {
    own.forEach(TOLD::remove);
  }
}
