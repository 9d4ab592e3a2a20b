/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * Maps ids that are keys (any 64 bits) to partitions by hash. The address of a key is the key
 * itself.
 */
record HashedKeyDirectory(int partitions) implements RowDirectory {

  /**
   * Returns the key mixed by the finalizer of MurmurHash3 (Appleby, 2011). The upper half selects
   * the partition and the lower half the slot in its index, so that keys of one partition do not
   * collide there. Saved tables depend on it.
   */
  static long mix(long key) {
    long mixed = (key ^ (key >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }

  /** Accepts every key. */
  @Override
  public void check(long id, int position, long step) {}

  @Override
  public int owner(long id) {
    return (int) ((mix(id) >>> 32) % partitions);
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
