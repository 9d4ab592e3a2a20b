/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * An SVG document that is drawn from top to bottom. Every text has lines of its own and is wrapped,
 * so that none meets another one. The document is as wide as a telephone, where wider ones would be
 * scaled until nobody can read them.
 */
final class SvgDrawing {
  private static final int WIDTH = 440;
  static final int MARGIN = 8;
  static final int PLOT = WIDTH - 2 * MARGIN;
  private static final int LINE = 17;

  /** The width of a character: at 12 pixels the wider fonts take some 7 pixels each. */
  private static final int CHARACTER = 7;

  private static final String TEXT_STYLE =
      """
      text { fill: #1f2328; }
      .note { fill: #59636e; }
      .title, .name { font-weight: 600; }
      """;
  private static final String DARK_TEXT_STYLE =
      """
        text { fill: #f0f6fc; }
        .note { fill: #9198a1; }
      """;

  private final String title;
  private final String style;
  private final List<Shape> shapes = new ArrayList<>();
  private int y = MARGIN;

  /**
   * @param title the title, which is the first line, too
   * @param style CSS of the shapes
   * @param darkStyle CSS of the shapes on a dark page, indented
   */
  SvgDrawing(String title, String style, String darkStyle) {
    this.title = title;
    this.style =
        TEXT_STYLE
            + style
            + "@media (prefers-color-scheme: dark) {\n"
            + DARK_TEXT_STYLE
            + darkStyle
            + "}\n";
    text("title", title);
  }

  /** An element with its attributes and text. */
  private record Shape(String element, Map<String, String> attributes, String text) {}

  /** A point of the document, in pixels from its upper left corner. */
  record Point(double x, double y) {}

  /** The upper edge of what is drawn next. */
  int y() {
    return y;
  }

  /** Leaves space. */
  void skip(int pixels) {
    y += pixels;
  }

  /** Writes lines of text. */
  void text(String className, String text) {
    indentedText(className, 0, text);
  }

  /** Writes lines of text with space before them. */
  void indentedText(String className, int indent, String text) {
    for (String line : TextLines.of(text, (PLOT - indent) / CHARACTER)) {
      y += LINE;
      label(className, MARGIN + indent, y - LINE / 4, line);
    }
  }

  /** Writes a short text anywhere; {@code y} is its base line. */
  void label(String className, double x, int y, String text) {
    Map<String, String> attributes = attributes(className);
    attributes.put("x", number(x));
    attributes.put("y", String.valueOf(y));
    shapes.add(new Shape("text", attributes, text));
  }

  void box(String className, double x, int y, double width, int height) {
    Map<String, String> attributes = attributes(className);
    attributes.put("x", number(x));
    attributes.put("y", String.valueOf(y));
    attributes.put("width", number(width));
    attributes.put("height", String.valueOf(height));
    shapes.add(new Shape("rect", attributes, ""));
  }

  /** Draws a line through points. */
  void line(String className, List<Point> points) {
    Map<String, String> attributes = attributes(className);
    attributes.put(
        "points",
        String.join(" ", points.stream().map(p -> number(p.x()) + "," + number(p.y())).toList()));
    shapes.add(new Shape("polyline", attributes, ""));
  }

  private static Map<String, String> attributes(String className) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("class", className);
    return attributes;
  }

  /** Returns the document. */
  String document() {
    StringWriter document = new StringWriter();
    try {
      write(XMLOutputFactory.newFactory().createXMLStreamWriter(document));
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return document + "\n";
  }

  private void write(XMLStreamWriter xml) throws XMLStreamException {
    int height = y + MARGIN;
    xml.writeStartElement("svg");
    xml.writeDefaultNamespace("http://www.w3.org/2000/svg");
    xml.writeAttribute("viewBox", "0 0 " + WIDTH + " " + height);
    xml.writeAttribute("width", String.valueOf(WIDTH));
    xml.writeAttribute("height", String.valueOf(height));
    xml.writeAttribute("role", "img");
    xml.writeAttribute("font-family", "system-ui, sans-serif");
    xml.writeAttribute("font-size", "12");
    write(xml, new Shape("title", Map.of(), title));
    write(xml, new Shape("style", Map.of(), "\n" + style));
    for (Shape shape : shapes) {
      write(xml, shape);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.flush();
  }

  /** Writes an element on a line of its own. */
  private static void write(XMLStreamWriter xml, Shape shape) throws XMLStreamException {
    xml.writeCharacters("\n");
    boolean isText = !shape.text().isEmpty();
    if (isText) {
      xml.writeStartElement(shape.element());
    } else {
      xml.writeEmptyElement(shape.element());
    }
    for (Map.Entry<String, String> attribute : shape.attributes().entrySet()) {
      xml.writeAttribute(attribute.getKey(), attribute.getValue());
    }
    if (isText) {
      xml.writeCharacters(shape.text());
      xml.writeEndElement();
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
