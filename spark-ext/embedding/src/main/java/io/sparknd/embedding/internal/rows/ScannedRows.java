/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.Arrays;

/**
 * The rows of one partition that have numbers, by ascending address.
 *
 * @param addresses addresses of the rows in the partition
 * @param numbers their numbers
 */
public record ScannedRows(long[] addresses, int[] numbers) {

  /**
   * Returns the rows of a partition with a number, by a scan of all its rows.
   *
   * @param table {@code [directory.rows()]}; one more than the number of each row, plus {@code
   *     base}, or at most {@code base} if a row has none
   */
  public static ScannedRows of(DenseIdDirectory directory, int partition, int[] table, int base) {
    int most = Math.toIntExact(directory.rowsIn(partition));
    // the entry after the last is overwritten until a row has a number: there is no branch
    long[] addresses = new long[most + 1];
    int[] numbers = new int[most + 1];
    int count = 0;
    for (int address = 0; address < most; address += directory.perBlock()) {
      int first = (int) directory.id(partition, address);
      int rows = Math.min(directory.perBlock(), table.length - first);
      for (int row = 0; row < rows; row++) {
        int number = table[first + row] - base - 1;
        addresses[count] = (long) address + row;
        numbers[count] = number;
        count += (number >>> 31) ^ 1;
      }
    }
    return new ScannedRows(Arrays.copyOf(addresses, count), Arrays.copyOf(numbers, count));
  }
}
