/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What SparkND did, for Spark's metrics system: {@link io.sparknd.metrics.NdPlugin} registers it,
 * and the engine tells {@link io.sparknd.metrics.SparkNdMetric} where it knows a count. Without the
 * plugin nothing is registered, and telling is a look into an empty map.
 */
package io.sparknd.metrics;
