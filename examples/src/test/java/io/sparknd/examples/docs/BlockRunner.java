/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import io.sparknd.docs.Block;

/** Runs blocks of other languages than Java between the Java blocks of a page. */
@FunctionalInterface
interface BlockRunner {
  /** Runs no block. */
  BlockRunner NONE = block -> false;

  /**
   * Runs a block and prints its result to {@link System#out}.
   *
   * @return whether it ran: false if the language is another one, or what the block needs is
   *     missing
   */
  boolean run(Block block) throws Exception;

  /** Returns a runner of the blocks of both. */
  default BlockRunner or(BlockRunner other) {
    return block -> run(block) || other.run(block);
  }
}
