/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Parses the Python literal in an {@code .npy} header: strings, integers (with or without Python
 * 2's {@code L}), {@code True}, {@code False}, {@code None}, tuples, lists and dicts. They are
 * returned as {@code String}, {@code Long}, {@code Boolean}, {@link #NONE}, {@link Tuple}, {@code
 * List} and {@code Map}.
 */
final class PythonLiteral {
  /** Python's {@code None}. */
  static final Object NONE =
      new Object() {
        @Override
        public String toString() {
          return "None";
        }
      };

  /** Nesting limit for structured dtypes, which protects the parser's stack. */
  private static final int MAX_DEPTH = 64;

  private static final char END = '\uffff';

  private final String text;
  private final String source;
  private int at;
  private int depth;

  /** A Python tuple. */
  record Tuple(List<Object> items) {
    @Override
    public String toString() {
      String inner = items.stream().map(Object::toString).collect(Collectors.joining(", "));
      return "(" + inner + (items.size() == 1 ? ",)" : ")");
    }
  }

  private PythonLiteral(String text, String source) {
    this.text = text;
    this.source = source;
  }

  /**
   * Parses all of {@code text} as one value.
   *
   * @throws SparkNdException if {@code text} is not such a literal; the message names {@code
   *     source}
   */
  static Object parse(String text, String source) {
    PythonLiteral parser = new PythonLiteral(text, source);
    Object value = parser.value();
    parser.next();
    if (parser.at < text.length()) {
      throw parser.expected("the end of the header");
    }
    return value;
  }

  private Object value() {
    char first = next();
    return switch (first) {
      case '{' -> nested(this::dict);
      case '(' -> nested(this::parenthesized);
      case '[' -> nested(() -> items(']'));
      case '\'', '"' -> string();
      default -> {
        if (isDigit(first) || first == '-' || first == '+') {
          yield integer();
        }
        yield word();
      }
    };
  }

  private Object nested(Supplier<Object> body) {
    if (++depth > MAX_DEPTH) {
      throw expected("at most " + MAX_DEPTH + " nested brackets");
    }
    at++;
    Object value = body.get();
    depth--;
    return value;
  }

  private Map<String, Object> dict() {
    Map<String, Object> entries = new LinkedHashMap<>();
    while (next() != '}') {
      if (!(value() instanceof String key)) {
        throw expected("a string before this point, as the key of a dict");
      }
      require(':');
      entries.put(key, value());
      separator('}');
    }
    at++;
    return entries;
  }

  /** Parses a tuple or, as in Python, a single value in parentheses without a comma. */
  private Object parenthesized() {
    List<Object> items = items(')');
    int last = at - 2;
    while (last > 0 && isSpace(text.charAt(last))) {
      last--;
    }
    return items.size() == 1 && text.charAt(last) != ',' ? items.get(0) : new Tuple(items);
  }

  private List<Object> items(char close) {
    List<Object> items = new ArrayList<>();
    while (next() != close) {
      items.add(value());
      separator(close);
    }
    at++;
    return items;
  }

  /** Consumes a comma, which is optional after the last item. */
  private void separator(char close) {
    if (next() == ',') {
      at++;
    } else if (next() != close) {
      throw expected("',' or '" + close + "'");
    }
  }

  private String string() {
    char quote = next();
    StringBuilder value = new StringBuilder();
    for (at++; peek() != quote; at++) {
      if (peek() == '\\') {
        at++;
        if (peek() != '\\' && peek() != '\'' && peek() != '"') {
          throw expected("an escaped quote or backslash");
        }
      }
      if (at >= text.length()) {
        throw expected("the closing " + quote);
      }
      value.append(peek());
    }
    at++;
    return value.toString();
  }

  private Long integer() {
    int start = at;
    if (!isDigit(peek())) {
      at++;
    }
    int digits = at;
    while (isDigit(peek())) {
      at++;
    }
    if (at == digits) {
      throw expected("a digit");
    }
    Long value = parseLong(start);
    if (peek() == 'L' || peek() == 'l') {
      at++;
    }
    return value;
  }

  private Long parseLong(int start) {
    try {
      return Long.valueOf(text.substring(start, at));
    } catch (NumberFormatException tooLong) {
      at = start;
      throw expected("an integer of 64 bits");
    }
  }

  private Object word() {
    int start = at;
    while (Character.isLetter(peek())) {
      at++;
    }
    String word = text.substring(start, at);
    boolean prefix = word.equalsIgnoreCase("u") || word.equalsIgnoreCase("b");
    if (prefix && (peek() == '\'' || peek() == '"')) {
      return string();
    }
    return switch (word) {
      case "True" -> true;
      case "False" -> false;
      case "None" -> NONE;
      default -> {
        at = start;
        throw expected("a Python literal");
      }
    };
  }

  private void require(char wanted) {
    if (next() != wanted) {
      throw expected("'" + wanted + "'");
    }
    at++;
  }

  /** Skips white space and returns the current character. */
  private char next() {
    while (isSpace(peek())) {
      at++;
    }
    return peek();
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private SparkNdException expected(String what) {
    return NpyErrors.npyHeaderSyntax(source, text, Math.min(at, text.length()), what);
  }
}
