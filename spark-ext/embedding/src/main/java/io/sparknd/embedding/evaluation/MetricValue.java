/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.evaluation;

/**
 * A value of a metric.
 *
 * @param name name of the metric, such as {@code auc}
 * @param goal whether larger or smaller values are better
 */
public record MetricValue(String name, MetricGoal goal, double value) {}
