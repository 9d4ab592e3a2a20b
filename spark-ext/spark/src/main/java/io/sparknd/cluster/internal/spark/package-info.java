/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The bridge to the classes of Spark that are not public API: sessions, stages, map outputs,
 * checkpoints and errors. {@code docs/reference/spark-internals.md} lists each such class with the
 * classes that use it.
 */
@NullMarked
package io.sparknd.cluster.internal.spark;

import org.jspecify.annotations.NullMarked;
