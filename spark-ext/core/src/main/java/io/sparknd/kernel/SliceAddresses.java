/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/**
 * Where the slices of one chunk of a batch lie, worked out before the loops so that these only move
 * and reduce. Slice {@code i} of the chunk is at unit {@code position[i]} of {@code
 * blocks[block[i]]} on the tensor's side, and at unit {@code row[i]} of the flat array on the other
 * side: the updates of a scatter, the result of a gather.
 *
 * <p>Reused from chunk to chunk; {@code 0 <= count <= CAPACITY}.
 */
public final class SliceAddresses {
  /** Slices in a chunk: its arrays stay in the first-level cache. */
  public static final int CAPACITY = 1024;

  /** The slices by offset, from which block and position follow. */
  final long[] slice = new long[CAPACITY];

  public final int[] block = new int[CAPACITY];
  public final int[] position = new int[CAPACITY];
  public final int[] row = new int[CAPACITY];
  public int count;
}
