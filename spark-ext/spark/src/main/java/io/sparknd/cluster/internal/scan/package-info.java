/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads the rows of a plan as columnar batches, Parquet files in bulk, and runs the plan of an
 * operator's child as a query of its own.
 */
@NullMarked
package io.sparknd.cluster.internal.scan;

import org.jspecify.annotations.NullMarked;
