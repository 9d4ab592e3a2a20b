/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.internal.key.KeyList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** {@link KeyMatcher} beside a search of every key. */
class KeyMatcherTest {
  private static final Comparator<byte[]> UNSIGNED = Arrays::compareUnsigned;

  @Property(tries = 500)
  void rowsOfWantedKeys(
      @ForAll @IntRange(max = 30) int wantedCount,
      @ForAll @IntRange(max = 80) int rowCount,
      @ForAll boolean isSorted,
      @ForAll long seed) {
    Random random = new Random(seed);
    TreeSet<byte[]> wanted = new TreeSet<>(UNSIGNED);
    for (int i = 0; i < wantedCount; i++) {
      wanted.add(key(random));
    }
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < rowCount; i++) {
      rows.add(key(random));
    }
    if (isSorted) {
      rows.sort(UNSIGNED);
    }
    KeyMatches found = matches(new ArrayList<>(wanted), rows);
    List<String> expected = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      int key = new ArrayList<>(wanted).indexOf(wanted.floor(rows.get(row)));
      if (wanted.contains(rows.get(row))) {
        expected.add(key + " at " + 10 * row);
      }
    }
    List<String> actual = new ArrayList<>();
    for (int i = 0; i < found.count(); i++) {
      actual.add(found.keys()[i] + " at " + found.positions()[i]);
    }
    assertThat(actual).isEqualTo(expected);
  }

  private static KeyMatches matches(List<byte[]> wanted, List<byte[]> rows) {
    KeyList list = new KeyList();
    wanted.forEach(list::add);
    KeyMatcher matcher = new KeyMatcher(list);
    for (int row = 0; row < rows.size(); row++) {
      KeyList key = new KeyList();
      key.add(rows.get(row));
      matcher.add(key, 10 * row);
    }
    return matcher.matches();
  }

  /** Short and long keys, with common prefixes, the least and the greatest bytes. */
  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(3) == 0 ? 8 + random.nextInt(3) : random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] =
          (byte)
              (i < 7 && key.length > 7 ? 0 : List.of(0, 1, 127, 128, 255).get(random.nextInt(5)));
    }
    if (key.length > 7 && random.nextBoolean()) {
      Arrays.fill(key, 0, 7, (byte) -1);
    }
    return key;
  }
}
