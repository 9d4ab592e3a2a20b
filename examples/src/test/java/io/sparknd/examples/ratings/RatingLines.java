/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import io.sparknd.examples.support.SeededDraws;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Generated lines in the formats of MovieLens: 40 users are strict or not, 30 items good or bad.
 */
public final class RatingLines {
  private RatingLines() {}

  /** Generates lines without a header and without their ends. */
  public static List<String> of(String separator, int count) {
    return IntStream.range(0, count).mapToObj(number -> line(separator, number)).toList();
  }

  private static String line(String separator, int number) {
    SplittableRandom random = SeededDraws.of(5, number);
    int user = 1 + random.nextInt(40);
    int item = 1 + random.nextInt(30);
    long rating = Math.round(3 + Math.sin(user) + Math.cos(item) + random.nextGaussian() / 3);
    return String.join(
        separator,
        Integer.toString(user),
        Integer.toString(item),
        Long.toString(Math.max(1, Math.min(5, rating))),
        Integer.toString(880_000_000 + number));
  }
}
