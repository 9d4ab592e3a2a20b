/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a message with names for its values, as {@code index <tuple> is out of bounds}.
 * Values come in the order of the names.
 */
record MessageTemplate(String text) {
  private static final Pattern NAME = Pattern.compile("<([a-zA-Z0-9_]+)>");

  /** The text with values in place of the names. */
  String filled(Object... values) {
    Matcher names = NAME.matcher(text);
    StringBuilder filled = new StringBuilder();
    for (int i = 0; names.find(); i++) {
      names.appendReplacement(filled, Matcher.quoteReplacement(String.valueOf(values[i])));
    }
    return names.appendTail(filled).toString();
  }

  /** The values by name. */
  Map<String, String> parameters(Object... values) {
    Map<String, String> parameters = new LinkedHashMap<>();
    Matcher names = NAME.matcher(text);
    for (int i = 0; names.find(); i++) {
      parameters.put(names.group(1), String.valueOf(values[i]));
    }
    return parameters;
  }
}
