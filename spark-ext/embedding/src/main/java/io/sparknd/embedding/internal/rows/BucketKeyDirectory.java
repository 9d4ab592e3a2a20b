/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * Maps ids that are keys to partitions by the bucket of each in a counting Bloom filter, so that a
 * partition has all keys of its buckets.
 */
record BucketKeyDirectory(int partitions, FilterShape shape) implements KeyDirectory {

  @Override
  public int owner(long id) {
    return shape.bucket(id) % partitions;
  }
}
