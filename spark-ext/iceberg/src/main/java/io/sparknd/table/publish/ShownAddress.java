/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.publish;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The addresses of stores without what may be credentials, for messages. */
final class ShownAddress {
  /** The scheme, such as {@code jdbc:postgresql:} or {@code redis:}. */
  private static final Pattern SCHEME = Pattern.compile("(jdbc:[A-Za-z0-9+.-]+|[A-Za-z]+):");

  /** What is in front of parameters of a database or of a URI. */
  private static final Pattern HEAD = Pattern.compile("[^?;(#]*");

  private ShownAddress() {}

  /**
   * Returns scheme, host and database. Users and passwords are in front of an {@code @}, or in
   * parameters; where a character may be part of either, only the scheme is shown.
   */
  static String of(String address) {
    Matcher head = HEAD.matcher(address);
    String start = head.lookingAt() ? head.group() : "";
    String rest = address.substring(start.length());
    if (rest.indexOf('@') >= 0 || start.indexOf('=') >= 0) {
      return scheme(address) + "...";
    }
    String parameters = rest.startsWith("?") || rest.startsWith("#") ? rest.charAt(0) + "..." : "";
    int user = start.lastIndexOf('@');
    return user < 0
        ? start + parameters
        : scheme(address) + "//" + start.substring(user + 1).replaceFirst("^//", "") + parameters;
  }

  private static String scheme(String address) {
    Matcher scheme = SCHEME.matcher(address);
    return scheme.lookingAt() ? scheme.group() : "";
  }
}
