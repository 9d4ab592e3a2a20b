/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.chart;

import io.sparknd.cli.chart.SvgImage.Point;
import io.sparknd.cli.chart.SvgImage.TextAnchor;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;

/**
 * The part of an image in which series are drawn, and the axes beside it.
 *
 * @param left coordinate of the left edge, and the others likewise
 */
public record ChartFrame(SvgImage image, double left, double top, double right, double bottom) {
  private static final double TICK = 5;
  private static final double LINE = 18;
  private static final double TITLE = 60;

  /** Writes a title above. */
  public void title(String text) {
    image.text(new Point((left + right) / 2, top - LINE), TextAnchor.MIDDLE, text);
  }

  /** Draws the horizontal axis of {@code numbers}. */
  public AxisScale horizontalAxis(Collection<Double> numbers, String title) {
    AxisScale scale = AxisScale.of(numbers, left, right);
    for (BigDecimal tick : scale.ticks()) {
      double x = scale.at(tick.doubleValue());
      image.grid(new Point(x, top), new Point(x, bottom));
      image.axis(new Point(x, bottom), new Point(x, bottom + TICK));
      Point label = new Point(x, bottom + TICK + LINE);
      image.text(label, TextAnchor.MIDDLE, AxisScale.text(tick));
    }
    image.axis(new Point(left, bottom), new Point(right, bottom));
    image.text(new Point((left + right) / 2, bottom + TICK + 2 * LINE), TextAnchor.MIDDLE, title);
    return scale;
  }

  /** Draws the vertical axis of {@code numbers} on the left. */
  public AxisScale leftAxis(Collection<Double> numbers, String title) {
    AxisScale scale = AxisScale.of(numbers, bottom, top);
    for (BigDecimal tick : scale.ticks()) {
      double y = scale.at(tick.doubleValue());
      image.grid(new Point(left, y), new Point(right, y));
    }
    verticalAxis(scale, left, left - TICK, TextAnchor.END);
    image.textUpwards(new Point(left - TITLE, (top + bottom) / 2), title);
    return scale;
  }

  /** Draws a second vertical axis on the right. */
  public AxisScale rightAxis(Collection<Double> numbers, String title) {
    AxisScale scale = AxisScale.of(numbers, bottom, top);
    verticalAxis(scale, right, right + TICK, TextAnchor.START);
    image.textUpwards(new Point(right + TITLE, (top + bottom) / 2), title);
    return scale;
  }

  private void verticalAxis(AxisScale scale, double x, double end, TextAnchor anchor) {
    for (BigDecimal tick : scale.ticks()) {
      double y = scale.at(tick.doubleValue());
      image.axis(new Point(x, y), new Point(end, y));
      image.text(new Point(2 * end - x, y + TICK), anchor, AxisScale.text(tick));
    }
    image.axis(new Point(x, top), new Point(x, bottom));
  }

  /** Connects the points of a series. */
  public void line(ChartSeries series, AxisScale x, AxisScale y, String color) {
    series.stretches(x, y).forEach(stretch -> image.path(stretch, color));
  }

  /** Draws the points of a series. */
  public void points(ChartSeries series, AxisScale x, AxisScale y, String color) {
    series.stretches(x, y).forEach(each -> each.forEach(point -> image.circle(point, color)));
  }

  /** Writes the names of series, in their colours, one below the other. */
  public void legend(List<String> names, double x) {
    for (int i = 0; i < names.size(); i++) {
      double y = top + i * LINE;
      image.circle(new Point(x, y), SvgImage.color(i));
      image.text(new Point(x + LINE / 2, y + TICK), TextAnchor.START, names.get(i));
    }
  }
}
