/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.exchange.RowNumbers;
import java.util.Arrays;

/** Keys that an index lacks, on their way into the next one. */
final class AddedKeys {
  private final RowIndex before;
  private RowNumbers numbers;
  private long[] keys;

  AddedKeys(RowIndex before) {
    this.before = before;
  }

  /** The row that the next key gets. */
  long end() {
    return before.size() + (numbers == null ? 0 : numbers.count());
  }

  /** The row of {@code key}, which {@code before} lacks: {@link #end} as it was, if it is new. */
  long row(long key) {
    if (numbers == null) {
      numbers = new RowNumbers();
      keys = new long[64];
    }
    int number = numbers.number(key);
    if (number == keys.length) {
      keys = Arrays.copyOf(keys, 2 * number);
    }
    keys[number] = key;
    return before.size() + number;
  }

  /** The index with them. */
  RowIndex index() {
    return numbers != null && before instanceof KeyIndex index
        ? index.with(keys, numbers.count())
        : before;
  }
}
