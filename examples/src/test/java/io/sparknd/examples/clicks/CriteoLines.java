/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.examples.support.SeededDraws;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Generated lines in Criteo's format. Clicks depend on the first integer and the first category; a
 * tenth of the values are missing, and some integers are negative.
 */
public final class CriteoLines {
  private static final int INTEGERS = 13;
  private static final int CATEGORIES = 26;
  private static final int VALUES = 10;

  private CriteoLines() {}

  /** Generates lines without their ends. */
  public static List<String> of(int count) {
    return IntStream.range(0, count).mapToObj(CriteoLines::line).toList();
  }

  private static String line(int number) {
    SplittableRandom random = SeededDraws.of(3, number);
    List<String> columns = new ArrayList<>();
    double odds = -1;
    for (int i = 0; i < INTEGERS + CATEGORIES; i++) {
      int value = random.nextInt(VALUES);
      boolean missing = random.nextInt(VALUES) == 0;
      odds += (i == 0 || i == INTEGERS) && !missing ? value / 2.0 - 2 : 0;
      columns.add(missing ? "" : i < INTEGERS ? "" + (value * value - 2) : hexadecimal(i, value));
    }
    int label = random.nextDouble() < 1 / (1 + Math.exp(-odds)) ? 1 : 0;
    return label + "\t" + String.join("\t", columns);
  }

  private static String hexadecimal(int column, int value) {
    return String.format("%08x", (column + 1) * 0x9e3779b9 + value);
  }
}
