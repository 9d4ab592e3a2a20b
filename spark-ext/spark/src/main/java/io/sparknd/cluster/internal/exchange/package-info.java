/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Messages between the tasks of one barrier stage, from executor to executor, without a shuffle:
 * through Spark's network library, so that they are authenticated and encrypted as its blocks are.
 */
@NullMarked
package io.sparknd.cluster.internal.exchange;

import org.jspecify.annotations.NullMarked;
