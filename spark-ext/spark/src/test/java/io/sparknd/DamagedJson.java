/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON document with one damage: a value is missing, null, or of another type.
 *
 * @param place of the value, such as {@code /optimizer/kind}
 * @param value in its place; null if it is missing
 */
public record DamagedJson(String place, @Nullable String value, String json) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> VALUES =
      List.of("null", "{}", "[]", "\"text\"", "true", "7", "1.5");

  /** Returns all such documents. */
  public static List<DamagedJson> of(String json) throws IOException {
    JsonNode document = JSON.readTree(json);
    List<DamagedJson> all = new ArrayList<>();
    for (String place : places("", document)) {
      JsonNode before = document.at(place);
      for (String value : VALUES) {
        JsonNode other = JSON.readTree(value);
        if (other.getNodeType() != before.getNodeType()
            || before.isIntegralNumber() && other.isFloatingPointNumber()) {
          all.add(new DamagedJson(place, value, with(document, place, other)));
        }
      }
      all.add(new DamagedJson(place, null, with(document, place, null)));
    }
    return all;
  }

  private static List<String> places(String parent, JsonNode node) {
    List<String> places = new ArrayList<>();
    node.properties()
        .forEach(
            field -> {
              places.add(parent + "/" + field.getKey());
              places.addAll(places(parent + "/" + field.getKey(), field.getValue()));
            });
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      places.add(parent + "/" + i);
      places.addAll(places(parent + "/" + i, node.get(i)));
    }
    return places;
  }

  private static String with(JsonNode document, String place, @Nullable JsonNode value) {
    JsonNode copy = document.deepCopy();
    JsonPointer pointer = JsonPointer.compile(place);
    String name = pointer.last().getMatchingProperty();
    if (copy.at(pointer.head()) instanceof ArrayNode array) {
      int index = Integer.parseInt(name);
      if (value == null) {
        array.remove(index);
      } else {
        array.set(index, value);
      }
    } else if (copy.at(pointer.head()) instanceof ObjectNode object) {
      if (value == null) {
        object.remove(name);
      } else {
        object.set(name, value);
      }
    }
    return copy.toString();
  }

  /** Returns the field of the document that has the value. */
  public String field() {
    return place.split("/")[1];
  }

  public boolean isMissing() {
    return value == null;
  }

  /** Returns whether an element of a list is missing, of which a reader knows nothing. */
  public boolean isShorterList() {
    return isMissing() && place.matches(".*/\\d+");
  }

  /** Writes the document over a file. */
  public void writeTo(Path file) throws IOException {
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    Files.writeString(file, json);
  }

  @Override
  public String toString() {
    return place + (value == null ? " is missing" : " is " + value);
  }
}
