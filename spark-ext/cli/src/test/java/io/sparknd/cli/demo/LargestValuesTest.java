/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Tests the selection of the largest values. */
class LargestValuesTest {

  @Property(tries = 200)
  void positionsMatchAStableSort(
      @ForAll @Size(max = 30) List<@IntRange(min = -3, max = 3) Integer> values,
      @ForAll @IntRange(min = 1, max = 10) int k) {
    int[] sorted =
        IntStream.range(0, values.size())
            .boxed()
            .sorted(Comparator.comparing((Integer i) -> -values.get(i)))
            .limit(k)
            .mapToInt(i -> i)
            .toArray();
    assertThat(LargestValues.of(k, values.size(), i -> values.get(i))).isEqualTo(sorted);
  }
}
