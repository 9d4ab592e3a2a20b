/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.sparknd.metrics.SparkNdMetric.Side;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Registers the metrics of one side in a plugin's registry. The map is static because counting code
 * has no reference to the plugin. A JVM runs one driver or one executor, or both in local mode;
 * their metrics are disjoint.
 */
final class MetricRegistration implements AutoCloseable {
  private static final Map<SparkNdMetric, LongConsumer> CONSUMERS = new ConcurrentHashMap<>();

  /** The registry of the driver's gauges. */
  private static final AtomicReference<@Nullable MetricRegistry> GAUGES = new AtomicReference<>();

  private final Map<SparkNdMetric, LongConsumer> own;
  private final MetricRegistry registry;

  private MetricRegistration(Map<SparkNdMetric, LongConsumer> own, MetricRegistry registry) {
    this.own = own;
    this.registry = registry;
  }

  static MetricRegistration of(Side side, MetricRegistry registry) {
    Map<SparkNdMetric, LongConsumer> own = new EnumMap<>(SparkNdMetric.class);
    for (SparkNdMetric metric : SparkNdMetric.values()) {
      if (metric.side() == side) {
        own.put(metric, metric.in(registry));
      }
    }
    CONSUMERS.putAll(own);
    if (side == Side.DRIVER) {
      GAUGES.set(registry);
    }
    return new MetricRegistration(own, registry);
  }

  static void add(SparkNdMetric metric, long value) {
    LongConsumer registered = CONSUMERS.get(metric);
    if (registered != null) {
      registered.accept(value);
    }
  }

  /** Sets a gauge of the driver, which is registered with its first value. */
  static void set(String label, double value) {
    MetricRegistry driver = GAUGES.get();
    if (driver != null) {
      driver.gauge(label, () -> new LastValue(value)).value = value;
    }
  }

  /** The last value of a gauge. */
  private static final class LastValue implements Gauge<Double> {
    private volatile double value;

    LastValue(double value) {
      this.value = value;
    }

    @Override
    public Double getValue() {
      return value;
    }
  }

  /**
   * Unregisters these metrics, except those registered since by another application of this JVM.
   */
  @Override
  public void close() {
    own.forEach(CONSUMERS::remove);
    GAUGES.compareAndSet(registry, null);
  }
}
