/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a script at its semicolons, except those inside strings, quoted names, comments or {@code
 * BEGIN … END}. Spark's parser accepts one statement at a time.
 */
final class SqlStatements {
  private final String script;
  private final List<String> complete = new ArrayList<>();
  private ScriptBlocks blocks = new ScriptBlocks();
  private int at;
  private int start;
  private boolean hasContent;

  private SqlStatements(String script) {
    this.script = script;
  }

  /**
   * Returns the statements of {@code script}; the last needs no semicolon. Comments alone are not a
   * statement, unless the last one has no end: Spark reports it.
   */
  static List<String> of(String script) {
    SqlStatements statements = new SqlStatements(script);
    boolean hasEnd = statements.scan();
    if (statements.hasContent || !hasEnd) {
      statements.complete.add(script.substring(statements.start).strip());
    }
    return statements.complete;
  }

  /** Whether nothing but comments follows the last semicolon. */
  static boolean isComplete(String script) {
    SqlStatements statements = new SqlStatements(script);
    return statements.scan() && !statements.hasContent;
  }

  /** Scans to the end; false if that is inside a string, a quoted name or a comment. */
  private boolean scan() {
    while (at < script.length()) {
      char c = script.charAt(at);
      if (c == ';') {
        semicolon();
      } else if (script.startsWith("--", at)) {
        skipTo("\n");
      } else if (script.startsWith("/*", at)) {
        if (!skipComment()) {
          return false;
        }
      } else if (c == '\'' || c == '"' || c == '`') {
        hasContent = true;
        blocks.symbol(c);
        if (!skipQuoted(c)) {
          return false;
        }
      } else if (Character.isJavaIdentifierPart(c)) {
        word();
      } else {
        hasContent |= !Character.isWhitespace(c);
        blocks.symbol(c);
        at++;
      }
    }
    return true;
  }

  private void word() {
    int from = at;
    while (at < script.length() && Character.isJavaIdentifierPart(script.charAt(at))) {
      at++;
    }
    hasContent = true;
    blocks.word(script.substring(from, at));
  }

  /** Inside {@code BEGIN … END}, a semicolon is part of the statement. */
  private void semicolon() {
    if (blocks.areOpen()) {
      blocks.semicolon();
      at++;
    } else {
      end();
    }
  }

  private void end() {
    if (hasContent) {
      complete.add(script.substring(start, at).strip());
    }
    at++;
    start = at;
    hasContent = false;
    blocks = new ScriptBlocks();
  }

  private void skipTo(String end) {
    int found = script.indexOf(end, at);
    at = found < 0 ? script.length() : found + end.length();
  }

  /** Bracketed comments nest, as in Spark. */
  private boolean skipComment() {
    int depth = 0;
    do {
      if (script.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (script.startsWith("*/", at)) {
        depth--;
        at += 2;
      } else {
        at++;
      }
    } while (depth > 0 && at < script.length());
    return depth == 0;
  }

  /** A backslash escapes a character in strings, but not in raw ones and quoted names. */
  private boolean skipQuoted(char quote) {
    boolean hasEscapes = quote != '`' && !isRaw(at);
    at++;
    while (at < script.length() && script.charAt(at) != quote) {
      at += hasEscapes && script.charAt(at) == '\\' ? 2 : 1;
    }
    at++;
    return at <= script.length();
  }

  /** Whether the word before a quote is {@code r}, as in {@code r'\d'}. */
  private boolean isRaw(int quote) {
    return quote > start
        && Character.toLowerCase(script.charAt(quote - 1)) == 'r'
        && (quote - 1 == start || !Character.isJavaIdentifierPart(script.charAt(quote - 2)));
  }
}
