/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementsTest {

  @Test
  void semicolonsEndStatementsAndTheLastNeedsNone() {
    assertThat(Statements.of("SELECT 1; SELECT 2 ;\nSELECT 3"))
        .containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
  }

  @Test
  void emptyStatementsAndCommentsAloneAreNone() {
    assertThat(Statements.of(" ;; -- nothing; here\n; /* nor; here */ ")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT ';'",
        "SELECT 'it\\';s'",
        "SELECT \"a;b\"",
        "SELECT 1 AS `a;b`",
        "SELECT 1 -- one; two\n + 1",
        "SELECT 1 /* a; /* b; */ c; */ + 1",
        "SELECT 'a''b;c'"
      })
  void semicolonsInsideStringsNamesAndCommentsEndNothing(String statement) {
    assertThat(Statements.of(statement + "; SELECT 2")).containsExactly(statement, "SELECT 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT 1", "SELECT ';", "SELECT 1; SELECT 2", "/* ", "SELECT `a;"})
  void aStatementGoesOnUntilItsSemicolon(String script) {
    assertThat(Statements.isComplete(script)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT 1;", "SELECT ';';  ", "SELECT 1; -- done", ""})
  void aStatementIsCompleteAfterItsSemicolon(String script) {
    assertThat(Statements.isComplete(script)).isTrue();
  }

  @Test
  void aStringThatNeverEndsIsLeftToSparksParser() {
    assertThat(Statements.of("SELECT 'a; b")).containsExactly("SELECT 'a; b");
  }
}
