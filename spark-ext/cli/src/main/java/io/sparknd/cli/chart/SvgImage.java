/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.chart;

import io.sparknd.tensor.TensorErrors;
import io.sparknd.tensor.internal.AtomicFile;
import java.awt.Color;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** An SVG image of lines, circles and text on white. Coordinates count from the upper left. */
public final class SvgImage {
  private static final String AXIS = "#333333";
  private static final String GRID = "#dddddd";

  /** The golden ratio: hues of successive series are far apart. */
  private static final float HUES = 0.618034f;

  private final StringBuilder svg = new StringBuilder();

  /** The point of a text that is at its coordinates. */
  public enum TextAnchor {
    START,
    MIDDLE,
    END
  }

  /** A point of the image. */
  public record Point(double x, double y) {}

  /** Creates an empty image; sizes are in pixels. */
  public SvgImage(int width, int height) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\""
            + " viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"12\">%n"
            + "<rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>",
        width, height);
  }

  /** Returns the colour of series {@code i}, counted from 0. */
  public static String color(int i) {
    Color color = Color.getHSBColor(0.6f + i * HUES, 0.8f, 0.75f);
    return String.format("#%06x", color.getRGB() & 0xFFFFFF);
  }

  /** Draws the line of an axis, or of a tick. */
  public void axis(Point from, Point to) {
    line(from, to, AXIS);
  }

  /** Draws a line of the grid. */
  public void grid(Point from, Point to) {
    line(from, to, GRID);
  }

  private void line(Point from, Point to, String color) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
        from.x(), from.y(), to.x(), to.y(), color);
  }

  /** Connects points. */
  public void path(List<Point> points, String color) {
    StringBuilder moves = new StringBuilder();
    for (Point point : points) {
      moves.append(moves.isEmpty() ? 'M' : 'L');
      moves.append(String.format(Locale.ROOT, "%.1f,%.1f", point.x(), point.y()));
    }
    add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>", moves, color);
  }

  public void circle(Point center, String color) {
    add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", center.x(), center.y(), color);
  }

  /** Writes black text. */
  public void text(Point at, TextAnchor anchor, String text) {
    text(at, anchor, text, "black");
  }

  public void text(Point at, TextAnchor anchor, String text, String color) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
        at.x(), at.y(), anchor.name().toLowerCase(Locale.ROOT), color, escaped(text));
  }

  /** Writes text upwards, with its middle at {@code at}. */
  public void textUpwards(Point at, String text) {
    add(
        "<text transform=\"translate(%.1f,%.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
        at.x(), at.y(), escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private void add(String element, Object... values) {
    svg.append(String.format(Locale.ROOT, element, values)).append('\n');
  }

  /**
   * Writes the image to a file.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code file} cannot be written
   */
  public void write(Path file) {
    byte[] text = (svg + "</svg>\n").getBytes(StandardCharsets.UTF_8);
    try {
      AtomicFile.write(file, out -> out.write(text));
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(file.toString(), e);
    }
  }
}
