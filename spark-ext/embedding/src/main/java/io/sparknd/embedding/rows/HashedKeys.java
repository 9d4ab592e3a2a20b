/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

/**
 * Ids that are keys: any 64 bits. A key goes to the partition that its hash says, whatever keys
 * there are; its address is the key itself.
 */
record HashedKeys(int partitions) implements RowDirectory {

  /**
   * The bits of a key mixed, by the finalizer of MurmurHash3 (Appleby, 2011). The upper half
   * chooses a partition and the lower one a place in its index, so that keys of one partition do
   * not crowd there. Saved tables depend on it.
   */
  static long mix(long key) {
    long mixed = (key ^ (key >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }

  /** There is no key that a table cannot have. */
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
