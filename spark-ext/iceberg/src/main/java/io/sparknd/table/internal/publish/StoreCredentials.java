/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Passwords of an online store. Drivers quote addresses, or parts of them, in their messages.
 *
 * @param values the longest first
 */
record StoreCredentials(List<String> values) {
  private static final String NAME = "[\\w.-]*(?:pass|pwd|secret|token|credential|key)[\\w.-]*";
  private static final Pattern SECRET_NAME = Pattern.compile("(?i)" + NAME);

  /** In an address or a message: {@code name=value}, and {@code user:value@host}. */
  private static final Pattern SECRET =
      Pattern.compile("(?i)(" + NAME + "\\s*=\\s*|//[^/@:\\s]*:)([^&;,)\\s'\"@]+)");

  /** Shorter ones are replaced only behind their names, since messages have them by chance. */
  private static final int SHORTEST = 4;

  StoreCredentials {
    values = List.copyOf(values);
  }

  static StoreCredentials of(StoreAddress address) {
    List<String> values = new ArrayList<>();
    address.properties().entrySet().stream()
        .filter(property -> SECRET_NAME.matcher(property.getKey()).matches())
        .map(Map.Entry::getValue)
        .forEach(values::add);
    Matcher found = SECRET.matcher(address.url());
    while (found.find()) {
      values.add(found.group(2));
    }
    values.removeIf(value -> value.length() < SHORTEST);
    values.sort(Comparator.comparingInt(String::length).reversed());
    return new StoreCredentials(values);
  }

  /**
   * Returns the failure, or another one with its last cause's message and stack without passwords,
   * if one of its messages has some.
   */
  Exception hiddenIn(Exception failure) {
    List<Throwable> causes =
        Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause).toList();
    if (causes.stream().map(Throwable::toString).allMatch(text -> hidden(text).equals(text))) {
      return failure;
    }
    Throwable root = causes.get(causes.size() - 1);
    SQLException shown = new SQLException(hidden(String.valueOf(root.getMessage())));
    shown.setStackTrace(root.getStackTrace());
    return shown;
  }

  private String hidden(String text) {
    String left = text;
    for (String value : values) {
      left = left.replace(value, "...");
    }
    return SECRET.matcher(left).replaceAll("$1...");
  }
}
