/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The values of {@code attrs.json}. A key with the value null counts as absent. */
record CaseAttributes(JsonNode root) {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          // Python writes NaN and Infinity
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  static CaseAttributes read(Path file) {
    try {
      JsonNode root = JSON.readTree(Files.readAllBytes(file));
      if (!root.isObject()) {
        throw CaseException.malformed("%s is not a JSON object", file.getFileName());
      }
      return new CaseAttributes(root);
    } catch (JsonProcessingException e) {
      throw CaseException.malformed(
          "%s is not JSON: %s", file.getFileName(), e.getOriginalMessage());
    } catch (IOException e) {
      throw CaseException.malformed("cannot read %s: %s", file.getFileName(), e);
    }
  }

  List<String> keys() {
    List<String> keys = new ArrayList<>();
    root.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  Optional<JsonNode> node(String key) {
    return Optional.ofNullable(root.get(key)).filter(value -> !value.isNull());
  }

  Optional<String> string(String key) {
    return typed(key, JsonNode::isTextual, JsonNode::textValue, "a string");
  }

  Optional<Boolean> flag(String key) {
    return typed(key, JsonNode::isBoolean, JsonNode::booleanValue, "true or false");
  }

  Optional<Number> number(String key) {
    return typed(key, JsonNode::isNumber, JsonNode::numberValue, "a number");
  }

  Optional<Integer> integer(String key) {
    return typed(
        key,
        value -> value.isIntegralNumber() && value.canConvertToInt(),
        JsonNode::intValue,
        "an integer");
  }

  Optional<Long> count(String key) {
    return typed(
        key,
        value -> value.isIntegralNumber() && value.canConvertToLong(),
        JsonNode::longValue,
        "an integer");
  }

  /**
   * Returns the dimensions under {@code key}; the call checks whether they are a valid {@link
   * Shape}.
   */
  Optional<long[]> dims(String key) {
    return typed(
        key,
        CaseAttributes::isListOfLongs,
        value -> {
          long[] dims = new long[value.size()];
          for (int i = 0; i < dims.length; i++) {
            dims[i] = value.get(i).longValue();
          }
          return dims;
        },
        "a list of integers");
  }

  private static boolean isListOfLongs(JsonNode value) {
    boolean fits = value.isArray();
    for (JsonNode dim : value) {
      fits &= dim.isIntegralNumber() && dim.canConvertToLong();
    }
    return fits;
  }

  List<JsonNode> list(String key) {
    return typed(key, JsonNode::isArray, CaseAttributes::elements, "a list").orElse(List.of());
  }

  private static List<JsonNode> elements(JsonNode array) {
    List<JsonNode> elements = new ArrayList<>();
    array.forEach(elements::add);
    return elements;
  }

  /** Returns the dtype names by array, for the arrays that declare one. */
  Map<String, String> dtypes() {
    return typed("dtypes", JsonNode::isObject, CaseAttributes::strings, "an object of strings")
        .orElse(Map.of());
  }

  private static Map<String, String> strings(JsonNode object) {
    Map<String, String> strings = new java.util.TreeMap<>();
    object
        .properties()
        .forEach(
            entry -> {
              if (!entry.getValue().isNull()) {
                strings.put(entry.getKey(), entry.getValue().asText());
              }
            });
    return strings;
  }

  /** Returns the strings that the message of the expected error must contain. */
  List<String> mustName() {
    JsonNode error = node("error").orElse(JSON.createObjectNode());
    for (String key : new CaseAttributes(error).keys()) {
      if (!key.equals("must_name") && !key.equals("kind")) {
        throw CaseException.unsupported("unknown key 'error.%s'", key);
      }
    }
    return new CaseAttributes(error).list("must_name").stream().map(JsonNode::asText).toList();
  }

  private <T> Optional<T> typed(
      String key, Predicate<JsonNode> test, Function<JsonNode, T> value, String wanted) {
    return node(key)
        .map(
            found -> {
              if (!test.test(found)) {
                throw CaseException.malformed("%s is %s, not %s", key, found, wanted);
              }
              return value.apply(found);
            });
  }
}
