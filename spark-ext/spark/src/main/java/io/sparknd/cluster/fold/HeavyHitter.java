/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.fold;

/**
 * A piece of a slice that gets far more updates than others.
 *
 * @param owner partition that has the piece
 * @param local its number there
 * @param weight about how many updates it gets
 */
record HeavyHitter(int owner, long local, long weight) {}
