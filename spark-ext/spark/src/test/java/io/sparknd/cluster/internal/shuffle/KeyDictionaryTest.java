/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
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
}
