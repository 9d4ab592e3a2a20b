/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import com.codahale.metrics.MetricRegistry;
import io.sparknd.metrics.SparkNdMetric.Side;
import java.util.Map;
import java.util.TreeMap;

/** The metrics counted in this JVM since the start, without a plugin. */
public record Counted(
    MetricRegistry registry, MetricRegistration driver, MetricRegistration executor)
    implements AutoCloseable {

  public static Counted start() {
    MetricRegistry registry = new MetricRegistry();
    return new Counted(
        registry,
        MetricRegistration.of(Side.DRIVER, registry),
        MetricRegistration.of(Side.EXECUTOR, registry));
  }

  /** Returns the value of a counter, or the number of values of a histogram. */
  public long of(SparkNdMetric metric) {
    return metric == SparkNdMetric.SCATTER_SLOWEST_TASK
        ? registry.histogram(metric.label()).getCount()
        : registry.counter(metric.label()).getCount();
  }

  /** Returns the values of the gauges. */
  public Map<String, Object> gauges() {
    Map<String, Object> gauges = new TreeMap<>();
    registry.getGauges().forEach((name, gauge) -> gauges.put(name, gauge.getValue()));
    return gauges;
  }

  /** Returns the counters that are not zero. */
  Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    registry.getCounters().forEach((name, counter) -> all.put(name, counter.getCount()));
    all.values().removeIf(count -> count == 0);
    return all;
  }

  @Override
  public void close() {
    driver.close();
    executor.close();
  }
}
