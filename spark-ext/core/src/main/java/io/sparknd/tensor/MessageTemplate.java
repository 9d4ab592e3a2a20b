/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message text with named placeholders, such as {@code index <tuple> is out of bounds}. Values
 * are passed in placeholder order.
 */
record MessageTemplate(String text) {
  private static final Pattern NAME = Pattern.compile("<([a-zA-Z0-9_]+)>");

  /** Returns the text with the placeholders replaced by {@code values}. */
  String filled(Object... values) {
    Matcher names = NAME.matcher(text);
    StringBuilder filled = new StringBuilder();
    for (int i = 0; names.find(); i++) {
      names.appendReplacement(filled, Matcher.quoteReplacement(String.valueOf(values[i])));
    }
    return names.appendTail(filled).toString();
  }

  /** Returns the values by placeholder name. */
  Map<String, String> parameters(Object... values) {
    Map<String, String> parameters = new LinkedHashMap<>();
    Matcher names = NAME.matcher(text);
    for (int i = 0; names.find(); i++) {
      parameters.put(names.group(1), String.valueOf(values[i]));
    }
    return parameters;
  }
}
