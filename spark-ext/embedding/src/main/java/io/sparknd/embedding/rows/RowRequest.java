/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

/**
 * Rows of a partition that a shard wants.
 *
 * @param shard that asks
 * @param addresses of the rows in the partition
 * @param places of the rows among all that the shard asks for
 */
public record RowRequest(int shard, long[] addresses, int[] places) {
  long bytes() {
    return 64 + 12L * addresses.length;
  }
}
