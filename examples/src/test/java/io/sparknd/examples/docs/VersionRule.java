/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says which versions may stand at a place in the documentation.
 *
 * @param place its first group is the version
 * @param allowed the versions of the POM; if there is one only, another is replaced by it
 */
record VersionRule(Pattern place, List<String> allowed) {
  VersionRule {
    allowed = List.copyOf(allowed);
  }

  static List<VersionRule> of(PomVersions pom) {
    String iceberg = pom.of("iceberg.version");
    return Stream.concat(
            Stream.of(
                rule("iceberg-spark-runtime-(\\d[\\d.]*)_", pom.of("iceberg.spark.version")),
                rule(
                    "(?:spark-[a-z]+|runtime-[\\d.]+)_(\\d+\\.\\d+)",
                    pom.of("scala.binary.version")),
                rule("sparknd-[a-z-]+-(\\d[\\d.]*)_", pom.of("spark.binary.version")),
                rule("sparknd-[a-z-]+-[\\d.]+_(\\d+\\.\\d+)", pom.of("scala.binary.version")),
                rule("io\\.sparknd:[\\w.-]+:(\\d[\\w.-]*\\w)", pom.own()),
                rule("sparknd-[a-z-]+(?:-[\\d.]+_[\\d.]+)?+-(\\d[\\w.-]*?)\\.jar", pom.own()),
                rule("\\bsparknd:(\\d[\\d.]*\\d)", pom.own().split("-")[0]), // of images
                rule("iceberg-spark-runtime-[\\d._]+:(\\d[\\d.]*\\d)", iceberg),
                rule("\\bIceberg (\\d+\\.\\d+\\.\\d+)", iceberg),
                rule("redis\\.clients:jedis:(\\d[\\d.]*\\d)", pom.of("jedis.version")),
                rule("\\b(?:[Aa] JDK|in Java) (\\d+)", pom.of("java.version")),
                new VersionRule(
                    Pattern.compile("\\bSpark (\\d+\\.\\d+\\.\\d+)"), pom.all("spark.version")),
                new VersionRule(
                    Pattern.compile("\\bSpark (\\d+\\.\\d+)(?!\\.?\\d)"),
                    List.of(pom.of("spark.supported").split(" ")))),
            Stream.of(
                artifact("sparknd-[\\w.-]+", pom.own()),
                artifact("spark-[a-z]+_[\\d.]+", pom.of("spark.version")),
                artifact("iceberg-spark-runtime-[\\w.]+", iceberg),
                artifact("maven-compiler-plugin", pom.of("compiler.plugin.version"))))
        .toList();
  }

  private static VersionRule rule(String place, String version) {
    return new VersionRule(Pattern.compile(place), List.of(version));
  }

  /** A rule for a dependency or a plugin in a block of XML. */
  private static VersionRule artifact(String name, String version) {
    return rule("<artifactId>" + name + "</artifactId>\\s*<version>([^<$]+)</version>", version);
  }

  /** Returns the places of {@code page} that have another version. */
  List<String> violations(String page) {
    return place
        .matcher(page)
        .results()
        .filter(found -> !allowed.contains(found.group(1)))
        .map(found -> found.group() + ", not " + String.join(" or ", allowed))
        .toList();
  }

  /** Returns the page with the allowed version, if there is one only. */
  String rewritten(String page) {
    return allowed.size() > 1
        ? page
        : place.matcher(page).replaceAll(found -> Matcher.quoteReplacement(corrected(found)));
  }

  private String corrected(MatchResult found) {
    int start = found.start(1) - found.start();
    int end = found.end(1) - found.start();
    return found.group().substring(0, start) + allowed.get(0) + found.group().substring(end);
  }
}
