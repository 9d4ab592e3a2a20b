/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.docs.Page;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The figures of the last benchmark reports: the files {@code benchmarks/SUITE.json}. */
final class BenchmarkFigures {
  private static final int MAX_THREADS = 2;

  private final Map<String, JsonNode> works = new HashMap<>();

  static BenchmarkFigures read() throws IOException {
    BenchmarkFigures figures = new BenchmarkFigures();
    ObjectMapper mapper = new ObjectMapper();
    for (Path file : MarkdownFiles.below(Page.ROOT.resolve("docs"), ".json")) {
      if (file.getParent().endsWith("benchmarks")) {
        String suite = file.getFileName().toString().replace(".json", "");
        mapper.readTree(Page.ROOT.resolve(file).toFile()).forEach(work -> figures.add(suite, work));
      }
    }
    return figures;
  }

  private void add(String suite, JsonNode work) {
    String id = work.path("name").asText().split(":", 2)[0];
    String key = suite + " " + id + "@" + work.path("threads").asText();
    works.put(key, work);
    works.put(key + "@" + work.path("processor").asText().split(" ", 2)[0], work);
  }

  int size() {
    return works.size();
  }

  /**
   * Returns a figure.
   *
   * @param key suite, id of the work with {@code @THREADS} if these are not 2, or
   *     {@code @THREADS@Intel} for one of several processors, field of the report or {@code
   *     scaling} (the time of two threads as a share of that of one), and the unit if it is not
   *     that of the report: {@code s} of milliseconds, {@code %}, or {@code /50} for a fiftieth
   */
  BigDecimal value(String key) {
    List<String> words = List.of(key.split(" "));
    if (words.size() < 3 || words.size() > 4) {
      throw new IllegalArgumentException("'" + key + "' is not 'SUITE WORK FIELD [UNIT]'");
    }
    String work = words.get(1).contains("@") ? words.get(1) : words.get(1) + "@" + MAX_THREADS;
    BigDecimal value = field(words.get(0) + " " + work, words.get(2));
    return words.size() == 3 ? value : inUnit(value, words.get(3));
  }

  private BigDecimal field(String work, String field) {
    if (field.equals("scaling")) {
      BigDecimal one = field(work.replace("@" + MAX_THREADS, "@1"), "ours");
      return field(work, "ours").divide(one, MathContext.DECIMAL64);
    }
    return Optional.ofNullable(works.get(work))
        .map(found -> found.path(field))
        .filter(JsonNode::isNumber)
        .map(JsonNode::decimalValue)
        .orElseThrow(() -> new IllegalArgumentException("no report has " + work + " " + field));
  }

  private static BigDecimal inUnit(BigDecimal value, String unit) {
    return switch (unit) {
      case "s" -> value.movePointLeft(3);
      case "%" -> value.movePointRight(2);
      default -> value.divide(new BigDecimal(unit.substring(1)), MathContext.DECIMAL64);
    };
  }
}
