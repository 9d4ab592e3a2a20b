/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;

/**
 * Tracks the open blocks of a SQL script, word by word. Words such as {@code IF}, {@code END} and
 * {@code REPEAT} are also names of functions and columns; they open and close blocks only where a
 * statement can begin.
 */
final class ScriptBlocks {
  /** First words of statements with an end of their own, such as {@code END IF}. */
  private static final Set<String> OPENING = Set.of("IF", "WHILE", "LOOP", "REPEAT", "FOR", "CASE");

  /** A {@code CASE} expression inside a statement, which ends with {@code END} alone. */
  private static final String CASE_VALUE = "CASE value";

  /** Ends the statements of {@code REPEAT}; its condition and {@code END REPEAT} follow. */
  private static final String UNTIL = "UNTIL";

  /** Words of a block after which statements follow. */
  private static final Set<String> BEFORE_STATEMENTS = Set.of("THEN", "ELSE", "DO");

  private final Deque<String> open = new ArrayDeque<>();
  private boolean atStatement = true;
  private boolean inDeclaration;
  private boolean afterDot;
  private String closed = "";
  private String label = "";

  /** Whether a semicolon ends a statement inside a block rather than the script. */
  boolean areOpen() {
    return !open.isEmpty();
  }

  void semicolon() {
    beginStatement();
    inDeclaration = false;
  }

  /** Processes a character that is not part of a word. */
  void symbol(char c) {
    if (c == ':' && !label.isEmpty()) {
      beginStatement();
    } else if (!Character.isWhitespace(c)) {
      atStatement = false;
      closed = "";
      label = "";
    }
    afterDot = c == '.';
  }

  /** Processes a keyword or an unquoted name. */
  void word(String text) {
    String word = text.toUpperCase(Locale.ROOT);
    boolean starts = atStatement;
    boolean repeatsEnd = word.equals(closed);
    closed = "";
    atStatement = false;
    label = starts ? word : "";
    if (afterDot || repeatsEnd) {
      afterDot = false;
      return;
    }
    if (word.equals("BEGIN") && (starts || inDeclaration)) {
      opened(word);
    } else if (open.isEmpty()) {
      return;
    } else if (word.equals("END") && closes(starts)) {
      closed = open.pop().replace(UNTIL, "REPEAT");
    } else if (word.equals(UNTIL) && starts && open.peek().equals("REPEAT")) {
      open.pop();
      open.push(UNTIL);
    } else if (starts && OPENING.contains(word)) {
      opened(word);
    } else if (word.equals("CASE")) {
      open.push(CASE_VALUE);
    } else if (BEFORE_STATEMENTS.contains(word) && !open.peek().equals(CASE_VALUE)) {
      beginStatement();
    } else if (starts) {
      inDeclaration = word.equals("DECLARE");
    }
  }

  /**
   * A {@code REPEAT} loop ends after its condition; other blocks end where a statement can begin.
   */
  private boolean closes(boolean starts) {
    return starts || open.peek().equals(CASE_VALUE) || open.peek().equals(UNTIL);
  }

  private void opened(String word) {
    open.push(word);
    inDeclaration = false;
    if (word.equals("BEGIN") || word.equals("LOOP") || word.equals("REPEAT")) {
      beginStatement();
    }
  }

  private void beginStatement() {
    atStatement = true;
    closed = "";
    label = "";
  }
}
