/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A length of rows that costs much more than its neighbour.
 *
 * @param who the peer
 * @param length the length that is slow
 * @param neighbour the length beside it that is not
 * @param ratio how many times as much it costs: an element, if it is the longer one, or a row, if
 *     it is the shorter one
 */
record LengthCliff(String who, int length, int neighbour, double ratio) {
  /** Below that a difference is no cliff. */
  private static final double LEAST = 1.5;

  private static final String HEAD =
      """
      | work | threads | processor | peer | length | beside | times as much |
      | --- | --- | --- | --- | --- | --- | --- |
      """;

  /** Returns the cliffs of a curve. */
  static List<LengthCliff> of(LengthCurve curve) {
    List<LengthCliff> cliffs = new ArrayList<>();
    for (int i = 1; i < curve.points().size(); i++) {
      LengthCurve.Point shorter = curve.points().get(i - 1);
      LengthCurve.Point longer = curve.points().get(i);
      if (longer.element() > LEAST * shorter.element()) {
        double ratio = longer.element() / shorter.element();
        cliffs.add(new LengthCliff(curve.who(), longer.length(), shorter.length(), ratio));
      } else if (shorter.row() > LEAST * longer.row()) {
        double ratio = shorter.row() / longer.row();
        cliffs.add(new LengthCliff(curve.who(), shorter.length(), longer.length(), ratio));
      }
    }
    return cliffs;
  }

  /**
   * Returns the section of a report with the cliffs of all charts; empty if there are no charts.
   */
  static String markdown(List<LengthChart> charts) {
    if (charts.isEmpty()) {
      return "";
    }
    StringBuilder rows = new StringBuilder();
    for (LengthChart chart : charts) {
      chart.curves().stream()
          .flatMap(curve -> of(curve).stream())
          .forEach(cliff -> rows.append(cliff.row(chart)));
    }
    return rule() + (rows.isEmpty() ? "There is none.\n" : HEAD + rows);
  }

  private static String rule() {
    return String.format(
        Locale.ROOT,
        """

        ## Cliffs

        A length is a cliff if an element costs more than %1$.1f times as much as in rows of the next shorter length, or a row
        more than %1$.1f times as much as a row of the next longer length.

        """,
        LEAST);
  }

  private String row(LengthChart chart) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %s | %s | %d | %d | %.2f |%n",
        chart.work(),
        chart.threads(),
        chart.processor(),
        who,
        length,
        neighbour,
        ratio);
  }
}
