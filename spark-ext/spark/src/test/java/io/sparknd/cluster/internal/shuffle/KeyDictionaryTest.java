/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the codes of many keys at once beside a map. */
class KeyDictionaryTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 31, 32, 33, 1000, 20_000})
  void codesAreNumberedAsKeysFirstOccur(int count) {
    KeyDictionary dictionary = new KeyDictionary();
    SplittableRandom random = new SplittableRandom(count);
    for (int turn = 0; turn < 2; turn++) {
      Map<Long, Integer> expected = new LinkedHashMap<>();
      for (int batch = 0; batch < 3; batch++) {
        long[] keys = random.longs(count + 5L, -count, count).toArray();
        int[] codes = dictionary.codes(keys, count);
        assertThat(codes)
            .isEqualTo(
                Arrays.stream(keys, 0, count)
                    .mapToInt(key -> expected.computeIfAbsent(key, k -> expected.size()))
                    .toArray());
        assertThat(dictionary.count()).isEqualTo(expected.size());
      }
      expected.forEach((key, code) -> assertThat(dictionary.code(key)).isEqualTo(code));
      dictionary.clear();
    }
  }

  /** Few distinct keys among many need little memory, whatever their number. */
  @Test
  void manyKeysThatOccurOftenAreCoded() {
    int count = 3 << 20;
    long[] keys = new long[count];
    Arrays.setAll(keys, i -> i < count / 2 ? i % 7 : i);
    KeyDictionary dictionary = new KeyDictionary();
    int[] codes = dictionary.codes(keys, count);
    assertThat(dictionary.count()).isEqualTo(7 + count / 2);
    for (int i = 0; i < count; i++) {
      if (codes[i] != (i < count / 2 ? i % 7 : 7 + i - count / 2)) {
        throw new AssertionError(i + ": " + codes[i]);
      }
    }
  }
}
