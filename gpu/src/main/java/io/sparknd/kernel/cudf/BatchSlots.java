/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.Arrays;

/**
 * Numbers the slices of a batch in the order in which they first come, so that only these travel.
 * Looked up in arrays as long as a block has slices, which are never cleared: a number counts only
 * if the slice with that number is the one that is asked for.
 */
final class BatchSlots implements DeviceTransfer.Rows {
  private final int units;
  private Object[] blocks;
  private int[][] numbers = {};
  private int[] block = new int[1024];
  private int[] position = new int[1024];
  private int count;

  /**
   * @param units of a slice, at least 1
   */
  BatchSlots(int units) {
    this.units = units;
  }

  /** Forgets all slices; those to come are of {@code arrays}. */
  void clear(Object[] arrays) {
    blocks = arrays;
    count = 0;
    if (numbers.length < arrays.length) {
      numbers = Arrays.copyOf(numbers, arrays.length);
    }
  }

  /**
   * The number of the slice that begins at unit {@code unit} of array {@code array}.
   *
   * @param length units of that array
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

  /** Slices that have a number. */
  int count() {
    return count;
  }

  /** The array that slice {@code number} lies in. */
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
