/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import io.sparknd.embedding.internal.rows.DenseIdDirectory;
import io.sparknd.embedding.internal.rows.RowDirectory;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers distinct ids from 0, in the order in which they first occur: by a table of all rows if
 * that has not many more entries than there are ids, otherwise by a hash table.
 */
final class IdNumbers {
  /** The most rows for each id of the first mini-batch. A hash table takes 48 bytes an id. */
  private static final int ROWS_PER_ID = 12;

  /** The most rows for each id that are scanned, in place of a sort of the ids. */
  private static final int SCANNED_PER_ID = 4;

  private static final int MAX_ROWS = 1 << 28;

  private final RowDirectory directory;

  private KeyDictionary hashed = new KeyDictionary();

  /** One more than the number of each row, plus {@code base}; empty if ids are hashed. */
  private final int[] direct;

  /** Entries up to it are of earlier ids, which {@link #clear} forgot. */
  private int base;

  private long[] distinct = new long[64];
  private int count;

  private IdNumbers(RowDirectory directory, int[] direct) {
    this.directory = directory;
    this.direct = direct;
  }

  /**
   * Returns numbers of no ids.
   *
   * @param ids number of ids that are expected
   */
  static IdNumbers of(RowDirectory directory, int ids) {
    long most = Math.min(MAX_ROWS, (long) ROWS_PER_ID * ids);
    return directory instanceof DenseIdDirectory dense && dense.rows() <= most
        ? new IdNumbers(directory, new int[(int) dense.rows()])
        : new IdNumbers(directory, new int[0]);
  }

  int count() {
    return count;
  }

  /** Returns the ids by number; only the first {@link #count} are used. */
  long[] distinct() {
    return distinct;
  }

  /** Returns the number of an id that has one. */
  int number(long id) {
    return direct.length == 0 ? hashed.code(id) : direct[(int) id] - base - 1;
  }

  /** Forgets all ids; the arrays are used again. */
  void clear() {
    hashed = new KeyDictionary();
    base += count;
    count = 0;
    if (base > Integer.MAX_VALUE - direct.length) {
      Arrays.fill(direct, 0);
      base = 0;
    }
  }

  /** Returns the number of each id, which the table has a row for. */
  int[] numbers(long[] ids) {
    int[] numbers = direct.length == 0 ? hashed.codes(ids, ids.length) : direct(ids);
    if (direct.length == 0) {
      count = hashed.count();
      reserve();
      for (int i = 0; i < ids.length; i++) {
        distinct[numbers[i]] = ids[i];
      }
    }
    return numbers;
  }

  private int[] direct(long[] ids) {
    int[] numbers = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      int known = direct[(int) ids[i]] - base;
      if (known <= 0) {
        reserve();
        distinct[count] = ids[i];
        known = ++count;
        direct[(int) ids[i]] = base + known;
      }
      numbers[i] = known - 1;
    }
    return numbers;
  }

  private void reserve() {
    if (count >= distinct.length) {
      distinct = Arrays.copyOf(distinct, Math.max(count, 2 * distinct.length));
    }
  }

  /** Returns the rows of the ids by owner, in the order of {@link OwnerRows#of}. */
  List<OwnerRows> byOwner() {
    boolean isScanned = direct.length > 0 && direct.length <= (long) SCANNED_PER_ID * count;
    return isScanned && directory instanceof DenseIdDirectory dense
        ? OwnerRows.scanned(dense, direct, base)
        : OwnerRows.of(directory, distinct, count);
  }
}
