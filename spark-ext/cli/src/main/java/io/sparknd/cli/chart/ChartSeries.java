/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.chart;

import io.sparknd.cli.chart.SvgImage.Point;
import java.util.ArrayList;
import java.util.List;

/**
 * Points of a chart with a name.
 *
 * @param xs numbers of the horizontal axis
 * @param ys numbers of a vertical axis, as many
 */
public record ChartSeries(String name, List<Double> xs, List<Double> ys) {
  /** Returns the points that are drawn, in stretches: a number without a place begins a new one. */
  List<List<Point>> stretches(AxisScale x, AxisScale y) {
    List<List<Point>> stretches = new ArrayList<>();
    List<Point> stretch = new ArrayList<>();
    for (int i = 0; i < xs.size(); i++) {
      if (AxisScale.isDrawn(xs.get(i)) && AxisScale.isDrawn(ys.get(i))) {
        stretch.add(new Point(x.at(xs.get(i)), y.at(ys.get(i))));
      } else {
        stretches.add(stretch);
        stretch = new ArrayList<>();
      }
    }
    stretches.add(stretch);
    return stretches.stream().filter(each -> !each.isEmpty()).toList();
  }
}
