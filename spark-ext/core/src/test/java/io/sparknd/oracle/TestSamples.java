/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import io.sparknd.tensor.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Random parts of what a test could go through, another one in each run, so that a long test takes
 * part of its time. {@code -Dsparknd.test.all=true} goes through all.
 */
public final class TestSamples {
  private TestSamples() {}

  /** Returns {@code count} of some elements, in their order. */
  public static <T> List<T> of(List<T> all, int count) {
    if (Boolean.getBoolean("sparknd.test.all")) {
      return all;
    }
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      numbers.add(i);
    }
    Collections.shuffle(numbers, new Random());
    return numbers.subList(0, Math.min(count, all.size())).stream().sorted().map(all::get).toList();
  }

  /** Returns five dtypes. */
  public static Stream<DType> dtypes() {
    return of(Arrays.asList(DType.values()), 5).stream();
  }
}
