/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparknd.docs.Page;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.OperatorErrors;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.table.internal.TableErrors;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.ErrorClassesJsonReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Tests that the error factories, {@code error-conditions.json} and {@code
 * docs/reference/errors.md} agree. After a change of a message, {@code -Dsparknd.errors.write=true}
 * regenerates the other two.
 */
class ErrorConditionsTest {
  private static final Path JSON =
      Page.ROOT.resolve(
          "spark-ext/core/src/main/resources/io/sparknd/tensor/error-conditions.json");
  private static final Path PAGE = Page.ROOT.resolve("docs/reference/errors.md");
  private static final String HELP =
      "run ErrorConditionsTest with -Dsparknd.errors.write=true, and look at what it changes";

  private final ErrorSource source = ErrorSource.read();

  @BeforeAll
  static void write() throws IOException {
    if (Boolean.getBoolean("sparknd.errors.write")) {
      Files.writeString(JSON, json(), StandardCharsets.UTF_8);
      Files.writeString(PAGE, ErrorPage.of(conditions()), StandardCharsets.UTF_8);
    }
  }

  private static ObjectNode conditions() throws IOException {
    return (ObjectNode) new ObjectMapper().readTree(JSON.toFile());
  }

  /** Returns the file with the messages of the code. Causes and remedies are kept from the file. */
  private static String json() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode old = conditions();
    ObjectNode all = mapper.createObjectNode();
    Map<String, Map<String, String>> subs = new TreeMap<>();
    Map<String, String> alone = new TreeMap<>();
    for (ErrorSource.Use use : ErrorSource.read().uses()) {
      if (use.sub() == null) {
        alone.put(use.name(), use.template());
      } else {
        subs.computeIfAbsent("SPARKND_" + use.condition(), name -> new TreeMap<>())
            .put(use.sub(), use.template());
      }
    }
    for (String name : new TreeSet<>(known())) {
      ObjectNode condition = all.putObject(name);
      explain(condition, old.path(name), alone.get(name));
      if (subs.containsKey(name)) {
        ObjectNode group = condition.putObject("subClass");
        JsonNode before = old.path(name).path("subClass");
        subs.get(name)
            .forEach((sub, text) -> explain(group.putObject(sub), before.path(sub), text));
      }
      condition.put("sqlState", ErrorCondition.valueOf(name.substring(8)).sqlState());
    }
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
  }

  /**
   * Adds message, cause and remedy to {@code condition}.
   *
   * @param before the condition in the file
   * @param text the message in the code; null if a condition groups errors, whose file has it
   */
  private static void explain(ObjectNode condition, JsonNode before, String text) {
    JsonNode lines = before.path("message");
    condition
        .putArray("message")
        .add(text == null ? lines.path(0).asText() : text)
        .add(lines.path(1).asText("Cause: "))
        .add(lines.path(2).asText("Fix: "));
  }

  private static Set<String> known() {
    return Arrays.stream(ErrorCondition.values())
        .map(ErrorCondition::fullName)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Test
  void everyFactoryHasACondition() {
    source
        .factories()
        .forEach((name, uses) -> assertThat(uses).as("condition of %s", name).isNotEmpty());
    Set<String> names = source.factories().keySet();
    assertThat(names).hasSizeGreaterThan(250);
    assertThat(Stream.of(TensorErrors.class, SqlErrors.class, TableErrors.class))
        .flatExtracting(ErrorConditionsTest::factories)
        .isSubsetOf(names);
  }

  private static List<String> factories(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .map(method -> type.getName() + "." + method.getName())
        .toList();
  }

  @Test
  void conditionNamesAreUnique() {
    List<String> names = source.uses().stream().map(ErrorSource.Use::name).toList();
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void codeAndFileHaveTheSameConditions() throws IOException {
    Set<String> listed = new TreeSet<>();
    conditions().fieldNames().forEachRemaining(listed::add);
    assertThat(listed).as(HELP).isEqualTo(new TreeSet<>(known()));
    Set<String> used =
        source.uses().stream()
            .map(use -> "SPARKND_" + use.condition())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(used).isEqualTo(listed);
  }

  @Test
  void everyConditionHasMessageCauseAndRemedy() throws IOException {
    conditions().properties().forEach(ErrorConditionsTest::requireExplained);
  }

  private static void requireExplained(Map.Entry<String, JsonNode> each) {
    JsonNode lines = each.getValue().path("message");
    assertThat(lines).as(each.getKey()).hasSize(3);
    assertThat(lines.get(0).asText()).as(each.getKey()).isNotBlank();
    assertThat(lines.get(1).asText()).as(each.getKey()).matches("Cause: [A-Za-z'].{5,}\\.");
    assertThat(lines.get(2).asText()).as(each.getKey()).matches("Fix: [A-Z].{5,}\\.");
    each.getValue().path("subClass").properties().forEach(ErrorConditionsTest::requireExplained);
  }

  @Test
  void fileMatchesTheCode() throws IOException {
    assertThat(Files.readString(JSON)).as(HELP).isEqualTo(json());
  }

  @Test
  void pageMatchesTheFile() throws IOException {
    assertThat(Files.readString(PAGE)).as(HELP).isEqualTo(ErrorPage.of(conditions()));
  }

  /**
   * Spark's own reader reads the file together with Spark's conditions, and so may other programs.
   */
  @Test
  void sparksReaderReadsTheFile() throws IOException {
    var urls = CollectionConverters.asScala(List.of(JSON.toUri().toURL())).toSeq();
    ErrorClassesJsonReader reader = new ErrorClassesJsonReader(urls);
    for (ErrorSource.Use use : source.uses()) {
      assertThat(reader.isValidErrorClass(use.name())).as(use.name()).isTrue();
      assertThat(reader.getMessageTemplate(use.name())).contains(use.template());
      assertThat(reader.getSqlState(use.name()))
          .isEqualTo(ErrorCondition.valueOf(use.condition()).sqlState());
    }
  }

  /** Every SQLSTATE is in Spark's list. */
  @Test
  void everySqlStateIsKnownToSpark() throws IOException {
    var states =
        new ObjectMapper()
            .readTree(ErrorClassesJsonReader.class.getResourceAsStream("/error/error-states.json"));
    for (ErrorCondition condition : ErrorCondition.values()) {
      assertThat(states.has(condition.sqlState())).as(condition.fullName()).isTrue();
      // a handler for SQLEXCEPTION does not catch these classes
      assertThat(condition.sqlState()).doesNotStartWith("XX").doesNotStartWith("02");
    }
  }

  @Test
  void parametersFillTheTemplate() {
    SparkNdException error = badIndex();
    assertThat(error.condition()).isEqualTo("SPARKND_INDEX_OUT_OF_BOUNDS");
    assertThat(error.parameters())
        .containsExactly(
            Map.entry("position", "indices[2]"),
            Map.entry("tuple", "[6]"),
            Map.entry("target", "shape [6]"),
            Map.entry("remedy", ", or set bad_indices to 'ignore' or 'clip'"));
    assertThat(error.messageTemplate())
        .isEqualTo("<position> = <tuple> is out of bounds for <target>: correct it<remedy>");
    assertThat(error)
        .hasMessage(
            "indices[2] = [6] is out of bounds for shape [6]: correct it, or set bad_indices to"
                + " 'ignore' or 'clip'");
  }

  @Test
  void stackTracesNameTheCondition() {
    SparkNdException error = badIndex();
    assertThat(error.toString())
        .isEqualTo(
            error.getClass().getName() + ": [SPARKND_INDEX_OUT_OF_BOUNDS] " + error.getMessage());
  }

  private static SparkNdException badIndex() {
    return OperatorErrors.badIndex("indices[2]", "[6]", "shape [6]", IndexPolicy.STRICT);
  }
}
