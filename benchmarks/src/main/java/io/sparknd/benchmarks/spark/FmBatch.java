/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.io.Serializable;

/**
 * A part of a mini-batch of clicks.
 *
 * @param features {@code [examples, fields]}, row-major: a row of the table per field
 * @param labels {@code [examples]}: 0 or 1
 */
record FmBatch(int[] features, float[] labels) implements Serializable {}
