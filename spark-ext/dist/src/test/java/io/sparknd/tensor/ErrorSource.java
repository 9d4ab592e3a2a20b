/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import io.sparknd.docs.JavaSources;
import io.sparknd.docs.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds conditions and messages in the sources of all error factories, such as {@link
 * TensorErrors}.
 */
final class ErrorSource {
  private static final Pattern FACTORY =
      Pattern.compile(
          "^  public static (?:SparkNd|Commit)\\w*Exception (\\w+)\\(", Pattern.MULTILINE);
  private static final Pattern USE =
      Pattern.compile(
          "\\b([A-Z][A-Z_]+)(?:\\.sub\\(\\s*\"([A-Z0-9_]+)\"\\))?,\\s*"
              + "((?:\"(?:[^\"\\\\]|\\\\.)*\"[\\s+]*)+)");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  private final Map<String, List<Use>> factories = new TreeMap<>();

  /**
   * A condition with its message template.
   *
   * @param sub the subcondition; null for the condition itself
   */
  record Use(String condition, String sub, String template) {
    String name() {
      return "SPARKND_" + condition + (sub == null ? "" : "." + sub);
    }
  }

  private void add(String type, String source) {
    Matcher starts = FACTORY.matcher(source);
    while (starts.find()) {
      String body = source.substring(starts.start(), source.indexOf("\n  }\n", starts.start()));
      // overloads are grouped under one name
      factories
          .computeIfAbsent(type + "." + starts.group(1), name -> new ArrayList<>())
          .addAll(uses(body));
    }
  }

  static ErrorSource read() {
    ErrorSource source = new ErrorSource();
    for (Path file : files().toList()) {
      try {
        source.add(typeName(file), Files.readString(Page.ROOT.resolve(file)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return source;
  }

  private static Stream<Path> files() {
    return Stream.of("spark-ext", "udfs")
        .flatMap(folder -> JavaSources.mainBelow(folder).stream())
        .filter(file -> file.toString().endsWith("Errors.java"));
  }

  private static String typeName(Path file) {
    String name = file.toString().replaceAll(".*/src/main/java/|\\.java$", "");
    return name.replace('/', '.');
  }

  private static List<Use> uses(String body) {
    List<Use> uses = new ArrayList<>();
    Matcher found = USE.matcher(body);
    while (found.find()) {
      StringBuilder template = new StringBuilder();
      Matcher parts = LITERAL.matcher(found.group(3));
      while (parts.find()) {
        template.append(parts.group(1).translateEscapes());
      }
      uses.add(new Use(found.group(1), found.group(2), template.toString()));
    }
    return uses;
  }

  /**
   * Returns the uses by class and method, such as {@code
   * io.sparknd.tensor.TensorErrors.unknownDType}.
   */
  Map<String, List<Use>> factories() {
    return factories;
  }

  List<Use> uses() {
    return factories.values().stream().flatMap(List::stream).toList();
  }
}
