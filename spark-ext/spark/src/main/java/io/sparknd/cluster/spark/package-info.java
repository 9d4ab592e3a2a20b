/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The only package that calls classes outside Spark's public API. It uses these:
 *
 * <ul>
 *   <li>{@code KnownSizeEstimation}: without it Spark counts blocks that versions share once for
 *       every version, and evicts blocks that would fit.
 *   <li>{@code InternalRow}, {@code UnsafeArrayData}: array columns are copied as memory; {@code
 *       Row} boxes every element.
 *   <li>{@code XXH64}: keys computed in Java must equal those of {@code xxhash64} in SQL, whose
 *       implementation is not public.
 *   <li>{@code SparkPlan} and some of its operators, {@code WritableColumnVector}: a vectorized
 *       scan already has columns as arrays, and Spark's public API only offers rows.
 * </ul>
 */
package io.sparknd.cluster.spark;
