/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.reduction;

import io.sparknd.table.internal.FeatureErrors;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Windows as text: {@code 7 days, 12 hours}. */
final class WindowText {
  private static final Pattern LENGTH =
      Pattern.compile("(\\d{1,9})\\s*(week|day|hour|minute|second)s?");

  private WindowText() {}

  private record Unit(String name, Duration length) {}

  private static final List<Unit> UNITS =
      List.of(
          new Unit("day", Duration.ofDays(1)),
          new Unit("hour", Duration.ofHours(1)),
          new Unit("minute", Duration.ofMinutes(1)),
          new Unit("second", Duration.ofSeconds(1)));

  /**
   * Returns the lengths in a text, separated by commas.
   *
   * @throws io.sparknd.tensor.SparkNdException if the text is not of lengths
   */
  static List<Duration> lengths(String text) {
    return Arrays.stream(text.split(",", -1)).map(WindowText::length).toList();
  }

  /** Returns the length in a text, as {@link #lengths} does. */
  static Duration length(String text) {
    Matcher matcher = LENGTH.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw FeatureErrors.windowText(text);
    }
    long count = Long.parseLong(matcher.group(1));
    String name = matcher.group(2);
    return name.equals("week")
        ? Duration.ofDays(7 * count)
        : UNITS.stream()
            .filter(unit -> unit.name().equals(name))
            .findFirst()
            .orElseThrow()
            .length()
            .multipliedBy(count);
  }

  /** Returns a length in whole numbers of its largest unit: {@code 7 days}. */
  static String of(Duration length) {
    Unit unit = unit(length);
    long count = count(length, unit);
    return count + " " + unit.name() + (count == 1 ? "" : "s");
  }

  /** Returns lengths, separated by commas. */
  static String list(List<Duration> lengths) {
    return lengths.stream().map(WindowText::of).collect(Collectors.joining(", "));
  }

  /** Returns the name of the column of a window: {@code views_7d}. */
  static String column(String variable, Duration length) {
    Unit unit = unit(length);
    return variable + "_" + count(length, unit) + unit.name().charAt(0);
  }

  private static Unit unit(Duration length) {
    return UNITS.stream()
        .filter(unit -> length.toSeconds() % unit.length().toSeconds() == 0)
        .findFirst()
        .orElseThrow();
  }

  private static long count(Duration length, Unit unit) {
    return length.toSeconds() / unit.length().toSeconds();
  }
}
