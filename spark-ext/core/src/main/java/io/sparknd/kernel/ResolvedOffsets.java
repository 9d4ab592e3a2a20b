/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.SliceOffsets;

/**
 * The offsets of all slots of a call, resolved and checked before the first write. They take 4
 * bytes a slot, and are read faster than tuples of several indices are resolved again.
 */
final class ResolvedOffsets implements OffsetSource {
  private final int[] resolved;

  private ResolvedOffsets(int[] resolved) {
    this.resolved = resolved;
  }

  /**
   * Resolves the slots of a call into one tensor; its offsets are less than 2^31. Each thread
   * resolves a range of slots.
   *
   * @throws io.sparknd.tensor.SparkNdException if the policy rejects a tuple; the message names the
   *     first
   */
  static ResolvedOffsets of(SliceOffsets offsets, int slots, int threads) {
    int[] resolved = new int[slots];
    WorkerThreads.runRanges(
        threads, slots, (from, to) -> resolve(offsets, (int) from, (int) to, resolved));
    return new ResolvedOffsets(resolved);
  }

  private static void resolve(SliceOffsets offsets, int from, int to, int[] resolved) {
    long[] chunk = new long[Math.min(CHUNK, to - from)];
    for (long slot = from; slot < to; slot += chunk.length) { // slots may be almost 2^31
      int count = (int) Math.min(chunk.length, to - slot);
      offsets.resolve(slot, count, chunk);
      for (int i = 0; i < count; i++) {
        resolved[(int) slot + i] = (int) chunk[i];
      }
    }
  }

  @Override
  public void read(long slot, int count, long[] out) {
    int first = (int) slot;
    for (int i = 0; i < count; i++) {
      out[i] = resolved[first + i];
    }
  }
}
