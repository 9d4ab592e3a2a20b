/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * Some written rows of a partition, in float32. Arrays are reused by the next tile.
 *
 * @param count number of rows; arrays may be longer
 * @param ids {@code [count]}
 * @param weights {@code [count, dim]}, row-major
 */
public record RowTile(int count, long[] ids, float[] weights) {}
