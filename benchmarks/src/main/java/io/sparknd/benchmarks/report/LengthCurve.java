/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.Comparator;
import java.util.List;

/**
 * The times of one peer for rows of several lengths.
 *
 * @param who the peer, with a remark if its time is not compared
 * @param points from the shortest to the longest row
 */
record LengthCurve(String who, List<Point> points) {
  LengthCurve {
    points = points.stream().sorted(Comparator.comparingInt(Point::length)).toList();
  }

  /**
   * The time of one row.
   *
   * @param length elements of the row
   * @param row nanoseconds of the row
   */
  record Point(int length, double row) {
    /** Nanoseconds of an element. */
    double element() {
      return row / length;
    }
  }
}
