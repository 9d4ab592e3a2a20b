/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/** Maps ids that are keys, any 64 bits. The address of a key is the key itself. */
sealed interface KeyDirectory extends RowDirectory permits BucketKeyDirectory, HashedKeyDirectory {

  /** Accepts every key. */
  @Override
  default void check(long id, int position, long step) {}

  @Override
  default long address(long id) {
    return id;
  }

  @Override
  default boolean isAt(long id, int partition, long address) {
    return id == address && owner(id) == partition;
  }

  @Override
  default long id(int partition, long address) {
    return address;
  }
}
