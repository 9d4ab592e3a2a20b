/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.cudf.ResidentBlocks.Copy;
import io.sparknd.tensor.Storage;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The resident blocks that a batch or a fold uses. Until they are released, they are not evicted
 * and their host arrays are not collected.
 */
final class UsedBlocks implements AutoCloseable {
  private final ResidentBlocks residents;
  private final Device device;
  private final Storage storage;
  private final Object[] blocks;

  /** By array; null if there is no memory for the copy. */
  private final IdentityHashMap<Object, Copy> copies = new IdentityHashMap<>();

  /**
   * @param blocks the arrays whose slices are accessed
   */
  UsedBlocks(ResidentBlocks residents, Device device, Storage storage, Object[] blocks) {
    this.residents = residents;
    this.device = device;
    this.storage = storage;
    this.blocks = blocks;
  }

  /** Returns the device address of a block; 0 if it is not resident. */
  long address(int block) {
    Copy copy = copies.get(blocks[block]);
    return copy == null ? 0 : copy.address();
  }

  /**
   * Uses the blocks of {@code slots}, which are of published versions. Absent blocks are copied to
   * the device while there is memory.
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
   * Creates writable copies of the blocks of {@code slots}. A block must still equal its
   * predecessor in {@code before}.
   *
   * @param before the published predecessors by number; null entries are not copied
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

  /**
   * Copies a block. Without memory for both versions, the new one takes over the old one's memory.
   */
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

  /** Frees all copies, because the arrays were or will be written without them. */
  void drop() {
    end(residents::drop);
  }

  /** Releases all copies; they stay resident while there is memory. The device must be idle. */
  @Override
  public void close() {
    end(residents::release);
  }

  private void end(Consumer<Copy> each) {
    copies.values().stream().filter(Objects::nonNull).forEach(each);
    copies.clear();
  }
}
