/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.Arrays;

/**
 * Numbers the distinct slices of a batch by first occurrence, so that each is transferred once.
 * Lookup tables have one entry per slice of a block and are never cleared: a number is valid only
 * if it refers back to the same slice.
 */
final class BatchSlots implements DeviceTransfer.Rows {
  private final int units;
  private Object[] blocks;
  private int[][] numbers = {};
  private int[] block = new int[1024];
  private int[] position = new int[1024];
  private int count;

  /**
   * @param units units per slice, at least 1
   */
  BatchSlots(int units) {
    this.units = units;
  }

  /** Removes all slices; later slices are of {@code arrays}. */
  void clear(Object[] arrays) {
    blocks = arrays;
    count = 0;
    if (numbers.length < arrays.length) {
      numbers = Arrays.copyOf(numbers, arrays.length);
    }
  }

  /**
   * Returns the number of the slice that begins at unit {@code unit} of array {@code array}.
   *
   * @param length the units of that array
   */
  int of(int array, int unit, int length) {
    int slices = length / units;
    if (numbers[array] == null || numbers[array].length < slices) {
      numbers[array] = new int[slices];
    }
    int slice = unit / units;
    int number = numbers[array][slice];
    if (number < count && block[number] == array && position[number] == unit) {
      return number;
    }
    numbers[array][slice] = count;
    append(array, unit);
    return count - 1;
  }

  private void append(int array, int unit) {
    if (count == block.length) {
      block = Arrays.copyOf(block, 2 * count);
      position = Arrays.copyOf(position, 2 * count);
    }
    block[count] = array;
    position[count++] = unit;
  }

  /** The number of slices. */
  int count() {
    return count;
  }

  /** The number of the array that holds slice {@code number}. */
  int block(int number) {
    return block[number];
  }

  @Override
  public Object array(int row) {
    return blocks[block[row]];
  }

  @Override
  public int unit(int row) {
    return position[row];
  }
}
