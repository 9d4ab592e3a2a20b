/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.publish.ValueFormat;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The columns of rows in an online store.
 *
 * @param ordinals ordinal of each variable among the table's columns
 */
record PublishedColumns(
    List<KeyColumn> keys, List<FeatureColumn> variables, List<Integer> ordinals, ValueFormat values)
    implements Serializable {

  /** Name of the column, or field, that has the number of the step that wrote the row. */
  static final String VERSION = "_sparknd_version";

  /** Beginning of the type of a key column in {@link #types}. */
  static final String KEY = "key ";

  /** First in the text of columns of which a step made some, and may not have ended. */
  private static final String BEGUN = "begun";

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Returns the columns of a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if one has the name of the version
   */
  static PublishedColumns of(StoredFeatures table, ValueFormat values) {
    PublishedColumns published =
        new PublishedColumns(
            List.copyOf(table.format().axis().columns()),
            table.format().variables().stream().map(FeatureColumn::forTasks).toList(),
            table.format().variableOrdinals(),
            values);
    if (published.types().keySet().stream().anyMatch(VERSION::equalsIgnoreCase)) {
      throw PublicationErrors.columnOfSink(table.name(), VERSION);
    }
    return published;
  }

  /** Returns the types of all columns by name, for comparisons. */
  private Map<String, String> types() {
    Map<String, String> types = new LinkedHashMap<>();
    keys.forEach(key -> types.put(key.name(), KEY + key.type()));
    variables.forEach(variable -> types.put(variable.name(), variable.identity()));
    return types;
  }

  /** Returns names and types as text, which differs for other columns. */
  String text() {
    ArrayNode all = JSON.createArrayNode().add(values.name());
    types().forEach((name, type) -> all.add(JSON.createArrayNode().add(name).add(type)));
    return all.toString();
  }

  /**
   * Returns these columns and those that a store has, as text, for a step from one to the other: if
   * it does not end, the store may have any of them.
   *
   * @param before what this method or {@link #text} returned for the columns that the store has
   * @return {@code before} if it is the text of these columns
   */
  String textAfter(String before) {
    if (before.equals(text())) {
      return before;
    }
    Set<JsonNode> all = new LinkedHashSet<>(List.of(JSON.getNodeFactory().textNode(BEGUN)));
    parse(before).forEach(all::add);
    parse(text()).forEach(all::add);
    return JSON.createArrayNode().addAll(all).toString();
  }

  /** Returns the types by name that {@link #text} has; none if it is malformed. */
  static Map<String, String> types(String text) {
    Map<String, String> types = new LinkedHashMap<>();
    for (JsonNode column : parse(text)) {
      if (column.isArray()) {
        types.put(column.path(0).asText(), column.path(1).asText());
      }
    }
    return types;
  }

  /**
   * Returns whether encoded values have the form of now.
   *
   * @param text as of {@link #text} or {@link #textAfter}: of steps that did not end, all have
   */
  boolean isFormIn(String text) {
    for (JsonNode part : parse(text)) {
      boolean isOtherForm =
          part.isTextual() && !part.asText().equals(BEGUN) && !part.asText().equals(values.name());
      if (isOtherForm) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether a variable's column is the one of now, whatever its fill value and the form of
   * encoded values.
   *
   * @param text as of {@link #text} or {@link #textAfter}: of steps that did not end, all are alike
   * @param column returns what names of one column have in common
   */
  boolean isColumnIn(FeatureColumn variable, String text, UnaryOperator<String> column) {
    String name = column.apply(variable.name());
    for (JsonNode part : parse(text)) {
      boolean isOther =
          part.isArray()
              && column.apply(part.path(0).asText()).equals(name)
              && !FeatureColumn.isSameColumn(part.path(1).asText(), variable.identity());
      if (isOther) {
        return false;
      }
    }
    return true;
  }

  private static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return JSON.createArrayNode();
    }
  }
}
