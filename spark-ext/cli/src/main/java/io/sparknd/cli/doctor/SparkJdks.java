/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import io.sparknd.cluster.internal.spark.ClassProperties;
import io.sparknd.cluster.internal.spark.SparkVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The JDKs on which Spark runs, from the table that {@code bin/sparknd} reads, too.
 *
 * @param lines from a line of Spark, such as {@code 4.1}, to feature versions of JDKs, ascending
 */
record SparkJdks(Map<String, List<Integer>> lines) {
  private static final String TABLE = "/io/sparknd/cli/spark-jdks.properties";

  static SparkJdks read() {
    Properties table = ClassProperties.read(SparkJdks.class, TABLE);
    Map<String, List<Integer>> lines = new TreeMap<>();
    table.stringPropertyNames().forEach(line -> lines.put(line, versions(table.getProperty(line))));
    return new SparkJdks(lines);
  }

  private static List<Integer> versions(String text) {
    return Arrays.stream(text.strip().split(" ")).map(Integer::valueOf).toList();
  }

  /** Returns the JDKs of {@code spark}, such as {@code 4.1.3}; none if its line is not known. */
  List<Integer> of(String spark) {
    return lines.getOrDefault(SparkVersion.minor(spark), List.of());
  }

  /** Returns the lines of Spark that run on a JDK, as text. */
  String sparksOf(int jdk) {
    return lines.entrySet().stream()
        .filter(each -> each.getValue().contains(jdk))
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(" or "));
  }

  /** Returns versions as text, such as {@code 17 or 21}. */
  static String text(List<Integer> versions) {
    return versions.stream().map(String::valueOf).collect(Collectors.joining(" or "));
  }
}
