/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.embedding.internal.rows.DenseIdDirectory;
import io.sparknd.embedding.internal.rows.IdOrder;
import io.sparknd.embedding.internal.rows.RowDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows of one partition, in the order in which a shard names them to it.
 *
 * @param addresses addresses of the rows in the partition
 * @param positions positions of the rows among all those that the shard requests
 */
public record OwnerRows(int owner, long[] addresses, int[] positions) {

  /**
   * Groups ids by owner, in the order of {@link IdOrder} for each of them.
   *
   * @param distinct ids; the first {@code count} are used
   */
  static List<OwnerRows> of(RowDirectory directory, long[] distinct, int count) {
    int[] order = IdOrder.positions(directory, distinct, count);
    int[] owners = new int[count];
    int[] counts = new int[directory.partitions()];
    for (int i = 0; i < count; i++) {
      owners[i] = directory.owner(distinct[order[i]]);
      counts[owners[i]]++;
    }
    OwnerRows[] rows = new OwnerRows[counts.length];
    for (int owner = 0; owner < rows.length; owner++) {
      rows[owner] = new OwnerRows(owner, new long[counts[owner]], new int[counts[owner]]);
    }
    int[] next = new int[counts.length];
    for (int i = 0; i < count; i++) {
      OwnerRows to = rows[owners[i]];
      int at = next[owners[i]]++;
      to.addresses[at] = directory.address(distinct[order[i]]);
      to.positions[at] = order[i];
    }
    return Arrays.stream(rows).filter(own -> own.count() > 0).toList();
  }

  /**
   * Returns what {@link #of} returns, by a scan of all rows: for tables that have not many more
   * rows than there are ids.
   *
   * @param table {@code [directory.rows()]}; one more than the position of each row, plus {@code
   *     base}, or at most {@code base} if a row has none
   */
  static List<OwnerRows> scanned(DenseIdDirectory directory, int[] table, int base) {
    return IntStream.range(0, directory.partitions())
        .mapToObj(owner -> scanned(directory, owner, table, base))
        .filter(own -> own.count() > 0)
        .toList();
  }

  private static OwnerRows scanned(DenseIdDirectory directory, int owner, int[] table, int base) {
    int most = Math.toIntExact(directory.rowsIn(owner));
    // the entry after the last is overwritten until a row has a position: there is no branch
    long[] addresses = new long[most + 1];
    int[] positions = new int[most + 1];
    int count = 0;
    for (int address = 0; address < most; address += directory.perBlock()) {
      int first = (int) directory.id(owner, address);
      int rows = Math.min(directory.perBlock(), most - address);
      for (int row = 0; row < rows; row++) {
        int position = table[first + row] - base - 1;
        addresses[count] = (long) address + row;
        positions[count] = position;
        count += (position >>> 31) ^ 1;
      }
    }
    return new OwnerRows(owner, Arrays.copyOf(addresses, count), Arrays.copyOf(positions, count));
  }

  public int count() {
    return positions.length;
  }

  /** Returns the rows in parts of at most {@code most} rows. */
  List<OwnerRows> split(int most) {
    if (count() <= most) {
      return List.of(this);
    }
    List<OwnerRows> parts = new ArrayList<>();
    for (int from = 0; from < count(); from += most) {
      int to = Math.min(count(), from + most);
      parts.add(
          new OwnerRows(
              owner,
              Arrays.copyOfRange(addresses, from, to),
              Arrays.copyOfRange(positions, from, to)));
    }
    return parts;
  }
}
