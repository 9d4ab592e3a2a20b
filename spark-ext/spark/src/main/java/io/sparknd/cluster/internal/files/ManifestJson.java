/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The JSON of manifests, whose contents are records. Each component must be there once, have its
 * type, and not be null unless {@code @JsonSetter(nulls = Nulls.SET)} allows it: a damaged manifest
 * is an error of reading it.
 */
public final class ManifestJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .defaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL, Nulls.FAIL))
          .build();

  /** Settings of the reader that a message advises, which its user cannot change. */
  private static final Pattern REMEDY =
      Pattern.compile(" \\((?:enable|disable|but could|but might) .*", Pattern.DOTALL);

  private ManifestJson() {}

  /**
   * Reads a manifest as a tree, to which settings that older versions did not save can be added.
   *
   * @throws IOException if it is not a JSON object
   */
  public static ObjectNode tree(byte[] json) throws IOException {
    try {
      if (JSON.readTree(json) instanceof ObjectNode tree) {
        return tree;
      }
    } catch (JsonProcessingException e) {
      throw new IOException(reason(e), e);
    }
    throw new IOException("it is not a JSON object");
  }

  /**
   * Returns the content of a manifest.
   *
   * @throws IOException if a component is missing or has another type; it names the field
   */
  public static <T> T read(ObjectNode tree, Class<T> type) throws IOException {
    try {
      return JSON.treeToValue(tree, type);
    } catch (JsonProcessingException e) {
      throw new IOException(reason(e), e);
    }
  }

  /**
   * Reads a manifest.
   *
   * @param format the only format that can be read
   * @throws IOException as {@link #tree}, {@link #requireFormat} and {@link #read(ObjectNode,
   *     Class)}
   */
  public static <T> T read(byte[] json, int format, Class<T> type) throws IOException {
    ObjectNode tree = tree(json);
    requireFormat(tree, format);
    return read(tree, type);
  }

  /**
   * Checks the number of a manifest's format, before other fields: they may be those of another
   * format.
   *
   * @param known the only one that can be read
   * @throws IOException if it is another number
   */
  public static void requireFormat(ObjectNode tree, int known) throws IOException {
    JsonNode found = tree.path("format");
    if (found.isIntegralNumber() && !found.asText().equals(Integer.toString(known))) {
      throw new IOException("its format is " + found.asText() + ", not " + known);
    }
  }

  /** Returns a value of a field. */
  public static JsonNode node(Object value) {
    return JSON.valueToTree(value);
  }

  public static byte[] bytes(Object manifest) throws IOException {
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest);
  }

  private static String reason(JsonProcessingException error) {
    String field = error instanceof JsonMappingException mapping ? field(mapping) : "";
    String problem =
        error instanceof UnrecognizedPropertyException
            ? "unknown: a later version of SparkND wrote it, or it is damaged"
            : REMEDY.matcher(error.getOriginalMessage()).replaceFirst("");
    return field.isEmpty() ? problem : "field " + field + ": " + problem;
  }

  /** Returns the path of a field, such as {@code tables[1].name}. */
  private static String field(JsonMappingException error) {
    return error.getPath().stream()
        .map(
            part ->
                part.getFieldName() == null
                    ? "[" + part.getIndex() + "]"
                    : "." + part.getFieldName())
        .collect(Collectors.joining())
        .replaceFirst("^\\.", "");
  }
}
