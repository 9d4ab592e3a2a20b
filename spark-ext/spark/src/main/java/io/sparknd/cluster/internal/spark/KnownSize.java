/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import org.apache.spark.util.KnownSizeEstimation;

/** An object that reports its own size in bytes to Spark's memory accounting. */
public interface KnownSize extends KnownSizeEstimation {}
