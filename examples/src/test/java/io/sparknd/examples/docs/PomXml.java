/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import io.sparknd.docs.Page;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** A POM of this repository, without what it inherits. */
final class PomXml {
  private final Path file;
  private final Document pom;
  private final XPath path = XPathFactory.newInstance().newXPath();

  private PomXml(Path file, Document pom) {
    this.file = file;
    this.pom = pom;
  }

  /**
   * Reads a POM.
   *
   * @param file path from the root of the repository
   */
  static PomXml read(Path file) {
    try {
      return new PomXml(
          file,
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(Page.ROOT.resolve(file).toFile()));
    } catch (Exception e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }

  /** Returns the text of the only element at an XPath. */
  String only(String expression) {
    List<String> found = texts(expression);
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          expression + " is in " + file + " " + found.size() + " times");
    }
    return found.get(0);
  }

  /** Returns the texts of the elements at an XPath, in their order. */
  List<String> texts(String expression) {
    try {
      NodeList nodes = (NodeList) path.evaluate(expression, pom, XPathConstants.NODESET);
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < nodes.getLength(); i++) {
        texts.add(nodes.item(i).getTextContent().strip());
      }
      return texts;
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(expression, e);
    }
  }
}
