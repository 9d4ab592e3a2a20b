/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * A shard's request for rows of a partition.
 *
 * @param shard shard that sent the request
 * @param addresses addresses of the rows in the partition
 * @param positions positions of the rows among all that the shard requests
 */
public record RowRequest(int shard, long[] addresses, int[] positions) {
  long bytes() {
    return 64 + 12L * addresses.length;
  }
}
