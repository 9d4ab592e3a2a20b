/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import java.nio.file.Path;
import java.util.List;

/** The versions in the parent POM. */
record PomVersions(PomXml pom) {
  static PomVersions read() {
    return new PomVersions(PomXml.read(Path.of("pom.xml")));
  }

  /** Returns SparkND's own version. */
  String own() {
    return pom.only("/project/version");
  }

  /** Returns a property, such as {@code spark.version}. */
  String of(String property) {
    return pom.only("/project/properties/*[name()='" + property + "']");
  }

  /** Returns a property of the default build and of all profiles that change it. */
  List<String> all(String property) {
    return pom.texts("//properties/*[name()='" + property + "']");
  }
}
