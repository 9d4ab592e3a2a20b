/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.cudf.ResidentBlocks.Copy;
import io.sparknd.tensor.Storage;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The resident blocks that one batch or one fold uses. While it does, none of them leaves the
 * device, nor do the arrays that they are copies of.
 */
final class UsedBlocks implements AutoCloseable {
  private final ResidentBlocks residents;
  private final Device device;
  private final Storage storage;
  private final Object[] blocks;

  /** By array; null for those that have no room. */
  private final IdentityHashMap<Object, Copy> copies = new IdentityHashMap<>();

  /**
   * @param blocks the arrays whose slices are asked for
   */
  UsedBlocks(ResidentBlocks residents, Device device, Storage storage, Object[] blocks) {
    this.residents = residents;
    this.device = device;
    this.storage = storage;
    this.blocks = blocks;
  }

  /** Where a block is on the device; 0 if it is not there. */
  long address(int block) {
    Copy copy = copies.get(blocks[block]);
    return copy == null ? 0 : copy.address();
  }

  /**
   * Uses the blocks of {@code slots}, of published versions. Those that are not there are carried
   * there, as far as there is room.
   */
  void read(BatchSlots slots) {
    try (BlockMoves moves = new BlockMoves(residents, device, storage)) {
      for (int slot = 0; slot < slots.count(); slot++) {
        Object array = blocks[slots.block(slot)];
        if (!copies.containsKey(array)) {
          Copy copy = residents.find(array);
          copies.put(array, copy);
          if (copy == null) {
            moves.carry(array);
          }
        }
      }
      copies.putAll(moves.done());
    }
  }

  /**
   * Begins copies of the blocks of {@code slots}, which hold now what those {@code before} them
   * hold, and may be written until this is closed.
   *
   * @param before by number, published; null for what is not to be there
   */
  void write(BatchSlots slots, Object[] before) {
    try (BlockMoves moves = new BlockMoves(residents, device, storage)) {
      for (int slot = 0; slot < slots.count(); slot++) {
        int block = slots.block(slot);
        if (!copies.containsKey(blocks[block])) {
          copies.put(blocks[block], null);
          if (before[block] != null) {
            begin(blocks[block], before[block], moves);
          }
        }
      }
      copies.putAll(moves.done());
    }
  }

  /** Where there is no room for both, the new version has the memory of the one before. */
  private void begin(Object array, Object before, BlockMoves moves) {
    Copy old = residents.find(before);
    if (old == null) {
      moves.carry(array);
    } else if (residents.isFull(bytes(array)) && residents.handOver(old, array)) {
      copies.put(array, old);
    } else {
      moves.copy(old, array);
    }
  }

  private long bytes(Object array) {
    return (long) storage.length(array) * storage.bytes();
  }

  /** Gives back all copies: the arrays will be written, or have been, without them. */
  void drop() {
    end(residents::drop);
  }

  /** The device has done all that it was asked for; the copies stay as long as there is room. */
  @Override
  public void close() {
    end(residents::release);
  }

  private void end(Consumer<Copy> each) {
    copies.values().stream().filter(Objects::nonNull).forEach(each);
    copies.clear();
  }
}
