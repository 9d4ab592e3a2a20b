/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;

/** The distribution of distinct updated rows. */
enum UpdatedKeys {
  UNIFORM {
    @Override
    LongStream draw(int count, int rows, Random random) {
      return random.longs(0, rows).distinct().limit(count);
    }
  },
  CONTIGUOUS {
    @Override
    LongStream draw(int count, int rows, Random random) {
      long first = random.nextInt(rows - count + 1);
      return LongStream.range(first, first + count);
    }
  };

  abstract LongStream draw(int count, int rows, Random random);

  List<Long> draw(int count, int rows, long seed) {
    return draw(count, rows, new Random(seed)).boxed().toList();
  }

  /** The name in benchmark ids. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
