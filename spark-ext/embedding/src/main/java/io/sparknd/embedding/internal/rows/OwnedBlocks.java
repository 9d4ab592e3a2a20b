/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.BitSet;

/**
 * The pages and blocks that a partition shares with no other version. A step that takes the
 * partition adds to the sets.
 *
 * @param pages numbers of pages; the blocks of such a page may be shared
 * @param blocks numbers of blocks; their pages are owned, too
 * @param ownsArray whether no other version has the array of the pages
 */
record OwnedBlocks(BitSet pages, BitSet blocks, boolean ownsArray) {
  static OwnedBlocks none() {
    return new OwnedBlocks(new BitSet(), new BitSet(), false);
  }
}
