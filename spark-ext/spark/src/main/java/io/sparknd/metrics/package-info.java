/* SPDX-License-Identifier: Apache-2.0 */
/**
 * SparkND's metrics for Spark's metrics system. {@link io.sparknd.metrics.NdPlugin} registers them,
 * and the engine adds counts through {@link io.sparknd.metrics.SparkNdMetric}. Without the plugin
 * nothing is registered, and adding a count is a lookup in an empty map.
 */
@NullMarked
package io.sparknd.metrics;

import org.jspecify.annotations.NullMarked;
