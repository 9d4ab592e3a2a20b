/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.spi;

/**
 * The addresses of the slices of one chunk, computed before the loops, which then only copy and
 * reduce. Slice {@code i} of the chunk begins at unit {@code position[i]} of {@code
 * blocks[block[i]]} in the tensor, and at unit {@code row[i]} of the flat array of a scatter's
 * updates or a gather's result.
 *
 * <p>Instances are reused for many chunks; {@code 0 <= count <= CAPACITY}.
 */
public final class SliceAddresses {
  /** Slices per chunk, so few that the arrays stay in the first-level cache. */
  public static final int CAPACITY = 1024;

  /** Slice offsets, from which block and position are computed. */
  public final long[] slice = new long[CAPACITY];

  public final int[] block = new int[CAPACITY];
  public final int[] position = new int[CAPACITY];
  public final int[] row = new int[CAPACITY];
  public int count;
}
