/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The only package that calls classes outside Spark's public API, and why it must:
 *
 * <ul>
 *   <li>{@code KnownSizeEstimation}: without it Spark counts blocks that versions share once for
 *       every version, and evicts what would fit.
 *   <li>{@code InternalRow}, {@code UnsafeArrayData}: array columns are copied as memory; {@code
 *       Row} boxes every element.
 *   <li>{@code XXH64}: keys that are made in Java must be those that {@code xxhash64} makes in SQL,
 *       and what computes these is not public.
 *   <li>{@code SparkPlan} and some of its operators, {@code WritableColumnVector}: a vectorized
 *       scan already has columns as arrays, and Spark's public API only has them cut into rows.
 * </ul>
 */
package io.sparknd.cluster.spark;
