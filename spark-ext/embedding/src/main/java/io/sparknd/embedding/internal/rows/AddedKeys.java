/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects new keys for the next version of an index. */
final class AddedKeys {
  private final RowIndex before;
  private @Nullable KeyDictionary numbers;
  private long[] keys = {};

  AddedKeys(RowIndex before) {
    this.before = before;
  }

  /** Returns the row of the next new key. */
  long end() {
    return before.size() + (numbers == null ? 0 : numbers.count());
  }

  /**
   * Returns the row of {@code key}, which {@code before} lacks. A new key gets the previous {@link
   * #end}.
   */
  long row(long key) {
    if (numbers == null) {
      numbers = new KeyDictionary();
      keys = new long[64];
    }
    int number = numbers.code(key);
    if (number == keys.length) {
      keys = Arrays.copyOf(keys, 2 * number);
    }
    keys[number] = key;
    return before.size() + number;
  }

  /** Returns whether {@code key} was added. */
  boolean has(long key) {
    return numbers != null && numbers.contains(key);
  }

  /** Returns the index with the added keys. */
  RowIndex index() {
    return numbers != null && before instanceof KeyIndex index
        ? index.with(keys, numbers.count())
        : before;
  }
}
