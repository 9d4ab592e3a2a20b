/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

/**
 * A piece of a slice that gets far more updates than others.
 *
 * @param owner the partition that owns the piece
 * @param local the number of the piece in that partition
 * @param weight the approximate number of updates that it gets
 */
record HeavyHitter(int owner, long local, long weight) {}
