/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Draws a chart as SVG: a grey bar is the peer's time, the bar on it ours, a mark the goal. Every
 * text has lines of its own and is wrapped, so that none meets another one. The chart is as wide as
 * a telephone, where wider ones would be scaled until nobody can read them.
 */
final class ChartSvg {
  private static final int WIDTH = 440;
  private static final int MARGIN = 8;
  private static final int PLOT = WIDTH - 2 * MARGIN;
  private static final int LINE = 17;
  private static final int BAR = 10;
  private static final int GAP = 12;

  /** Characters of a line: at 12 pixels the wider fonts take some 7 pixels each. */
  private static final int CHARACTERS = PLOT / 7;

  private static final String STYLE =
      """
      text { fill: #1f2328; }
      .note { fill: #59636e; }
      .title, .name { font-weight: 600; }
      .peer { fill: #d1d9e0; }
      .p0 { fill: #0969da; }
      .p1 { fill: #8250df; }
      .p2 { fill: #1a7f37; }
      .goal { fill: #1f2328; }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc; }
        .note { fill: #9198a1; }
        .peer { fill: #3d444d; }
        .p0 { fill: #4493f8; }
        .p1 { fill: #ab7df8; }
        .p2 { fill: #3fb950; }
        .goal { fill: #f0f6fc; }
      }
      """;
  private static final String LEGEND =
      "SparkND's time divided by the best correct peer's. Grey: the peer's time. Mark: the goal.";

  private final RatioChart chart;
  private final List<Shape> shapes = new ArrayList<>();
  private int y = MARGIN;

  ChartSvg(RatioChart chart) {
    this.chart = chart;
  }

  /** A shape of the drawing. */
  private sealed interface Shape {}

  /** One line of text, by its base line. */
  private record Text(String style, int y, String text) implements Shape {}

  private record Box(String style, double x, int y, double width, int height) implements Shape {}

  String draw() {
    text("title", chart.title());
    text("note", LEGEND);
    for (RatioChart.Row row : chart.rows()) {
      y += GAP;
      text("name", row.name());
      row.bars().forEach(this::bar);
    }
    StringWriter document = new StringWriter();
    try {
      write(XMLOutputFactory.newFactory().createXMLStreamWriter(document));
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return document + "\n";
  }

  private void text(String style, String text) {
    for (String line : TextLines.of(text, CHARACTERS)) {
      y += LINE;
      shapes.add(new Text(style, y - LINE / 4, line));
    }
  }

  private void bar(RatioChart.Bar bar) {
    text("note", bar.note());
    double unit = PLOT / chart.limit();
    shapes.add(new Box("peer", MARGIN, y, unit, BAR));
    shapes.add(new Box("p" + bar.processor(), MARGIN, y + 2, unit * bar.ratio(), BAR - 4));
    if (bar.goal() <= chart.limit()) {
      shapes.add(new Box("goal", MARGIN + unit * bar.goal() - 1, y - 1, 2, BAR + 2));
    }
    y += BAR + 3;
  }

  private void write(XMLStreamWriter xml) throws XMLStreamException {
    int height = y + MARGIN;
    start(xml, "svg");
    xml.writeDefaultNamespace("http://www.w3.org/2000/svg");
    xml.writeAttribute("viewBox", "0 0 " + WIDTH + " " + height);
    xml.writeAttribute("width", String.valueOf(WIDTH));
    xml.writeAttribute("height", String.valueOf(height));
    xml.writeAttribute("role", "img");
    xml.writeAttribute("font-family", "system-ui, sans-serif");
    xml.writeAttribute("font-size", "12");
    start(xml, "title");
    xml.writeCharacters(chart.title());
    xml.writeEndElement();
    start(xml, "style");
    xml.writeCharacters("\n" + STYLE);
    xml.writeEndElement();
    for (Shape shape : shapes) {
      write(xml, shape);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.flush();
  }

  private static void write(XMLStreamWriter xml, Shape shape) throws XMLStreamException {
    if (shape instanceof Text text) {
      start(xml, "text");
      attributes(xml, text.style(), MARGIN, text.y());
      xml.writeCharacters(text.text());
    } else if (shape instanceof Box box) {
      start(xml, "rect");
      attributes(xml, box.style(), box.x(), box.y());
      xml.writeAttribute("width", number(box.width()));
      xml.writeAttribute("height", String.valueOf(box.height()));
    }
    xml.writeEndElement();
  }

  /** Starts an element on a line of its own. */
  private static void start(XMLStreamWriter xml, String element) throws XMLStreamException {
    if (!element.equals("svg")) {
      xml.writeCharacters("\n");
    }
    xml.writeStartElement(element);
  }

  private static void attributes(XMLStreamWriter xml, String style, double x, int y)
      throws XMLStreamException {
    xml.writeAttribute("class", style);
    xml.writeAttribute("x", number(x));
    xml.writeAttribute("y", String.valueOf(y));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
