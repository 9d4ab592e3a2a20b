/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.cudf.ResidentBlocks.Copy;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Copies whole blocks to resident memory. Small blocks of one length are batched: one bus transfer
 * and one kernel.
 */
final class BlockMoves implements AutoCloseable {
  /** The most bytes of a batch of blocks; a larger block is copied alone. */
  private static final long TOGETHER = 16 << 20;

  private static final long LARGE = 1 << 20;

  private final ResidentBlocks residents;
  private final Device device;
  private final Storage storage;

  /** By units per block. */
  private final Map<Integer, List<Move>> carried = new TreeMap<>();

  private final Map<Integer, List<Move>> copied = new TreeMap<>();

  /**
   * @param from the resident source; null if the source is the host array
   */
  private record Move(Object array, Copy from, Copy to) {}

  BlockMoves(ResidentBlocks residents, Device device, Storage storage) {
    this.residents = residents;
    this.device = device;
    this.storage = storage;
  }

  /** Schedules the copy of {@code array} to the device, if there is memory. */
  void carry(Object array) {
    Copy to = residents.room(device, bytes(storage.length(array)));
    if (to != null) {
      add(carried, new Move(array, null, to));
    }
  }

  /** Schedules the copy of {@code from} as the copy of {@code array}. {@code from} is released. */
  void copy(Copy from, Object array) {
    Copy to = residents.room(device, bytes(storage.length(array)));
    if (to != null) {
      add(copied, new Move(array, from, to));
    } else {
      residents.release(from);
    }
  }

  private void add(Map<Integer, List<Move>> moves, Move move) {
    moves.computeIfAbsent(storage.length(move.array()), length -> new ArrayList<>()).add(move);
  }

  private long bytes(int length) {
    return (long) length * storage.bytes();
  }

  /** Copies all scheduled blocks and registers them, marked as used by the caller. */
  IdentityHashMap<Object, Copy> done() {
    carried.forEach((length, moves) -> each(length, moves, this::carryTogether));
    copied.forEach((length, moves) -> each(length, moves, this::copyTogether));
    IdentityHashMap<Object, Copy> copies = new IdentityHashMap<>();
    publish(carried, copies);
    publish(copied, copies);
    return copies;
  }

  private interface Together {
    void move(int length, List<Move> moves);
  }

  private void each(int length, List<Move> moves, Together together) {
    int most = (int) Math.max(1, TOGETHER / Math.max(1, bytes(length)));
    for (int from = 0; from < moves.size(); from += most) {
      together.move(length, moves.subList(from, Math.min(moves.size(), from + most)));
    }
  }

  private void carryTogether(int length, List<Move> moves) {
    try (DeviceTransfer transfer = new DeviceTransfer(device, storage, length, moves.size())) {
      if (bytes(length) >= LARGE) {
        for (Move move : moves) {
          transfer.toDevice(new FlatRows(move.array(), 0, length), 1, move.to().memory());
        }
        return;
      }
      try (Device.Memory packed = device.memory(moves.size() * bytes(length));
          Device.Memory to = addresses(transfer, moves.stream().map(Move::to).toList())) {
        transfer.toDevice(new Whole(moves), moves.size(), packed);
        carry(0, packed.address(), to.address(), moves.size(), length);
      }
    }
  }

  private void copyTogether(int length, List<Move> moves) {
    if (bytes(length) >= LARGE) {
      for (Move move : moves) {
        long to = move.to().address();
        Native.check(
            Native.copy(to, move.from().address(), bytes(length), device.stream()), "copy");
      }
      device.await();
      return;
    }
    try (DeviceTransfer transfer = new DeviceTransfer(device, Storage.LONG, 1, moves.size());
        Device.Memory from = addresses(transfer, moves.stream().map(Move::from).toList());
        Device.Memory to = addresses(transfer, moves.stream().map(Move::to).toList())) {
      carry(from.address(), 0, to.address(), moves.size(), length);
    }
  }

  private static Device.Memory addresses(DeviceTransfer transfer, List<Copy> copies) {
    return transfer.toDevice(copies.stream().mapToLong(Copy::address).toArray());
  }

  private void carry(long fromEach, long fromFirst, long toEach, int count, int length) {
    Native.check(
        Native.carry(fromEach, fromFirst, toEach, 0, count, bytes(length), device.stream()),
        "carry");
    device.await();
  }

  private void publish(Map<Integer, List<Move>> moves, Map<Object, Copy> copies) {
    for (List<Move> some : moves.values()) {
      for (Move move : some) {
        copies.put(move.array(), residents.put(move.array(), move.to()));
        if (move.from() != null) {
          residents.release(move.from());
        }
      }
    }
    moves.clear();
  }

  /** Frees the blocks that were not copied. */
  @Override
  public void close() {
    giveBack(carried);
    giveBack(copied);
  }

  private void giveBack(Map<Integer, List<Move>> moves) {
    for (List<Move> some : moves.values()) {
      for (Move move : some) {
        residents.release(move.to());
        if (move.from() != null) {
          residents.release(move.from());
        }
      }
    }
  }

  /** Each array is one row. */
  private record Whole(List<Move> moves) implements DeviceTransfer.Rows {
    @Override
    public Object array(int row) {
      return moves.get(row).array();
    }

    @Override
    public int unit(int row) {
      return 0;
    }
  }
}
