/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/** Maps ids that are keys to partitions by hash. */
record HashedKeyDirectory(int partitions) implements KeyDirectory {

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

  @Override
  public int owner(long id) {
    return (int) ((mix(id) >>> 32) % partitions);
  }
}
