/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.scaling;

/**
 * What one step of a training moves, one step a job. It is derived from {@code OutboundMessages},
 * {@code RowResponses} and {@code TrainingLoop}.
 *
 * @param shards tasks that compute gradients
 * @param partitions partitions of the table
 * @param rowsOfAShard distinct rows that a shard names in a step
 * @param dim float32 weights of a row
 */
record StepScale(long shards, long partitions, long rowsOfAShard, long dim) {
  private static final long MESSAGE_BYTES = 1 << 20;

  /** Offset and gradient of a row. */
  long gradientBytes() {
    return Long.BYTES + Float.BYTES * dim;
  }

  /** Offset and position of a requested row. */
  long requestBytes() {
    return Long.BYTES + Integer.BYTES;
  }

  /** Offset, position and weights of a row. */
  long responseBytes() {
    return requestBytes() + Float.BYTES * dim;
  }

  /** The most requests: one for each pair that has rows. */
  long mostRequests() {
    return shards * Math.min(rowsOfAShard, partitions);
  }

  /** The most messages of gradients, or of responses: full ones, and one for each such pair. */
  long mostRowMessages() {
    long full = MESSAGE_BYTES / (Float.BYTES * dim);
    return mostRequests() + shards * rowsOfAShard / full;
  }

  long mostMessages() {
    return mostRequests() + 2 * mostRowMessages();
  }

  /** Bytes of gradients, requests and responses, without headers, before compression. */
  long bytes() {
    return shards * rowsOfAShard * (gradientBytes() + requestBytes() + responseBytes());
  }

  /** The most bytes in shuffle files, before compression. */
  long mostWritten() {
    return bytes() + ShuffleScale.HEADER_BYTES * mostMessages();
  }

  /** Mean bytes of gradients for a pair of shard and partition. */
  long bytesOfAPair() {
    return rowsOfAShard * gradientBytes() / partitions;
  }

  /** Tasks of a job: the owners of rows, then the shards. */
  long tasks() {
    return partitions + shards;
  }
}
