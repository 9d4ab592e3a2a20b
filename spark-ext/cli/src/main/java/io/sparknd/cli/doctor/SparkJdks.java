/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
    Properties table = new Properties();
    try (InputStream in = SparkJdks.class.getResourceAsStream(TABLE)) {
      table.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, List<Integer>> lines = new TreeMap<>();
    table.stringPropertyNames().forEach(line -> lines.put(line, versions(table.getProperty(line))));
    return new SparkJdks(lines);
  }

  private static List<Integer> versions(String text) {
    return Arrays.stream(text.strip().split(" ")).map(Integer::valueOf).toList();
  }

  /** Returns the JDKs of {@code spark}, such as {@code 4.1.3}; none if its line is not known. */
  List<Integer> of(String spark) {
    return lines.getOrDefault(line(spark), List.of());
  }

  /** Returns the lines of Spark that run on a JDK, as text. */
  String sparksOf(int jdk) {
    return lines.entrySet().stream()
        .filter(each -> each.getValue().contains(jdk))
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(" or "));
  }

  private static String line(String spark) {
    int second = spark.indexOf('.', spark.indexOf('.') + 1);
    return second < 0 ? spark : spark.substring(0, second);
  }

  /** Returns versions as text, such as {@code 17 or 21}. */
  static String text(List<Integer> versions) {
    return versions.stream().map(String::valueOf).collect(Collectors.joining(" or "));
  }
}
