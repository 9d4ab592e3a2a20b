/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import io.sparknd.docs.Page;
import java.util.List;

/** A module of the build, by its POM. */
record MavenModule(PomXml pom) {
  /** Returns the modules of all profiles. */
  static List<MavenModule> all() {
    return MarkdownFiles.below(Page.ROOT, "pom.xml").stream()
        .filter(file -> file.endsWith("pom.xml")) // not dependency-reduced-pom.xml
        .map(file -> new MavenModule(PomXml.read(file)))
        .filter(MavenModule::isOurs)
        .toList();
  }

  /** Whether its parent is SparkND's: not so of a stand-in for the parent of another's POM. */
  private boolean isOurs() {
    return pom.texts("/project/parent/groupId").equals(List.of("io.sparknd"));
  }

  String artifact() {
    return pom.only("/project/artifactId");
  }

  boolean isDeployed() {
    return !pom.texts("/project/properties/*[name()='maven.deploy.skip']").contains("true");
  }

  /** Whether its classes, and not only those of its tests, are compiled against Spark. */
  boolean needsSpark() {
    return !pom.texts(
            "/project//dependency[groupId='org.apache.spark' and not(scope='test')]/artifactId")
        .isEmpty();
  }

  @Override
  public String toString() {
    return artifact();
  }
}
