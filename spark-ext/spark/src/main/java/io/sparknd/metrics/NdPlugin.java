/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import io.sparknd.metrics.SparkNdMetric.Side;
import java.util.Map;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Registers SparkND's metrics in Spark's metrics system, and so in all of its sinks. Set {@code
 * spark.plugins=io.sparknd.metrics.NdPlugin} when an application starts. docs/reference/metrics.md
 * lists the metrics.
 */
public final class NdPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new Driver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Executor();
  }

  private static final class Driver implements DriverPlugin {
    private @Nullable MetricRegistration metrics;

    @Override
    public void registerMetrics(String application, PluginContext context) {
      metrics = MetricRegistration.of(Side.DRIVER, context.metricRegistry());
    }

    @Override
    public void shutdown() {
      if (metrics != null) { // null if the application did not start
        metrics.close();
      }
    }
  }

  private static final class Executor implements ExecutorPlugin {
    private @Nullable MetricRegistration metrics;

    @Override
    public void init(PluginContext context, Map<String, String> unused) {
      metrics = MetricRegistration.of(Side.EXECUTOR, context.metricRegistry());
    }

    @Override
    public void shutdown() {
      if (metrics != null) {
        metrics.close();
      }
    }
  }
}
