/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import org.apache.spark.util.KnownSizeEstimation;

/** Something that tells Spark's memory accounting its own size in bytes. */
public interface KnownSize extends KnownSizeEstimation {}
