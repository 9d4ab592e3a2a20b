/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * Maps ids that are keys to partitions by the bucket of each in a counting Bloom filter, so that a
 * partition has all keys of its buckets. The address of a key is the key itself.
 */
record BucketKeyDirectory(int partitions, FilterShape shape) implements RowDirectory {

  /** Accepts every key. */
  @Override
  public void check(long id, int position, long step) {}

  @Override
  public int owner(long id) {
    return shape.bucket(id) % partitions;
  }

  @Override
  public long address(long id) {
    return id;
  }

  @Override
  public long id(int partition, long address) {
    return address;
  }
}
