/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import io.sparknd.docs.Page;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The versions in the parent POM. */
final class PomVersions {
  private final Document pom;
  private final XPath path = XPathFactory.newInstance().newXPath();

  private PomVersions(Document pom) {
    this.pom = pom;
  }

  static PomVersions read() {
    try {
      return new PomVersions(
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(Page.ROOT.resolve("pom.xml").toFile()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns SparkND's own version. */
  String own() {
    return only("/project/version");
  }

  /** Returns a property, such as {@code spark.version}. */
  String of(String property) {
    return only("/project/properties/*[name()='" + property + "']");
  }

  /** Returns a property of the default build and of all profiles that change it. */
  List<String> all(String property) {
    return texts("//properties/*[name()='" + property + "']");
  }

  private String only(String expression) {
    List<String> found = texts(expression);
    if (found.size() != 1) {
      throw new IllegalArgumentException(expression + " is in pom.xml " + found.size() + " times");
    }
    return found.get(0);
  }

  private List<String> texts(String expression) {
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
