/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Figures in a page that come from a benchmark's report, such as {@code <!-- figure: spark B ratio
 * -->0.12<!-- /figure -->}. The text between the marks says how many decimals to write, and whether
 * thousands have commas.
 */
final class FigureMarks {
  private static final Pattern MARK =
      Pattern.compile("<!-- figure: ([^>]*?) -->([^<]*)<!-- /figure -->");
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(?:\\.(\\d+))?");

  private FigureMarks() {}

  /** Returns the page with the values that {@code figures} gives for the keys of its marks. */
  static String rewritten(String page, Function<String, BigDecimal> figures) {
    return MARK.matcher(page)
        .replaceAll(mark -> Matcher.quoteReplacement(rewritten(mark, figures)));
  }

  private static String rewritten(MatchResult mark, Function<String, BigDecimal> figures) {
    String key = mark.group(1);
    String value = formatted(figures.apply(key), mark.group(2));
    return "<!-- figure: " + key + " -->" + value + "<!-- /figure -->";
  }

  private static String formatted(BigDecimal value, String before) {
    Matcher number = NUMBER.matcher(before);
    if (!number.matches()) {
      throw new IllegalArgumentException("'" + before + "' is not one number");
    }
    int decimals = number.group(1) == null ? 0 : number.group(1).length();
    BigDecimal rounded = value.setScale(decimals, RoundingMode.HALF_UP);
    String form = before.contains(",") ? "%,." + decimals + "f" : "%." + decimals + "f";
    return String.format(Locale.ROOT, form, rounded);
  }

  static long count(String page) {
    return MARK.matcher(page).results().count();
  }
}
