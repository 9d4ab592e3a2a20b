/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the splitting of a script into SQL statements. */
class SqlStatementsTest {

  @Test
  void semicolonsSeparateStatementsAndTheLastIsOptional() {
    assertThat(SqlStatements.of("SELECT 1; SELECT 2 ;\nSELECT 3"))
        .containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
  }

  @Test
  void emptyStatementsAndLoneCommentsAreSkipped() {
    assertThat(SqlStatements.of(" ;; -- nothing; here\n; /* nor; here */ ")).isEmpty();
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
        "SELECT 'a''b;c'",
        "SELECT r'\\'",
        "SELECT R\"\\\", x.r'\\', 'a;'",
        "SELECT r'a' '\\';'",
        "SELECT 1 AS r, bar'\\';'",
        "SELECT r\n'\\';'",
        "SELECT `r`'\\';'",
        "r'\\'"
      })
  void semicolonsInStringsNamesAndCommentsDoNotSplit(String statement) {
    assertThat(SqlStatements.of(statement + "; SELECT 2")).containsExactly(statement, "SELECT 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT 1", "SELECT ';", "SELECT 1; SELECT 2", "/* ", "SELECT `a;"})
  void statementIsIncompleteUntilItsSemicolon(String script) {
    assertThat(SqlStatements.isComplete(script)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT 1;", "SELECT ';';  ", "SELECT 1; -- done", ""})
  void aStatementIsCompleteAfterItsSemicolon(String script) {
    assertThat(SqlStatements.isComplete(script)).isTrue();
  }

  @Test
  void unterminatedStringIsPassedToSparksParser() {
    assertThat(SqlStatements.of("SELECT 'a; b")).containsExactly("SELECT 'a; b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN SELECT 1; SELECT 2; END",
        "begin\n  select 1;\nend",
        "BEGIN END",
        "BEGIN BEGIN SELECT 1; END; SELECT 2; END",
        "outer: BEGIN inner: BEGIN SELECT 1; END inner; SELECT 2; END outer",
        "BEGIN IF a > 1 THEN SELECT 1; ELSEIF a > 0 THEN SELECT 2; ELSE SELECT 3; END IF; SELECT 4; END",
        "BEGIN IF (a > 1) THEN IF b THEN SELECT 1; END IF; END IF; SELECT 4; END",
        "BEGIN DECLARE i INT DEFAULT 0; WHILE i < 3 DO SET i = i + 1; END WHILE; SELECT i; END",
        "BEGIN l: LOOP SET i = i + 1; IF i > 3 THEN LEAVE l; END IF; END LOOP l; SELECT i; END",
        "BEGIN REPEAT SET i = i + 1; UNTIL i > 3 END REPEAT; SELECT i; END",
        "BEGIN FOR r AS SELECT 1 AS a UNION SELECT 2 DO SELECT r.a; END FOR; SELECT 1; END",
        "BEGIN CASE a WHEN 1 THEN SELECT 1; ELSE SELECT 2; END CASE; SELECT 3; END",
        "BEGIN CASE WHEN a THEN SELECT CASE WHEN b THEN 1 ELSE 2 END; END CASE; SELECT 3; END",
        "BEGIN SELECT CASE WHEN a THEN IF(b, 1, 2) ELSE CASE b WHEN 1 THEN 2 END END; SELECT 3; END",
        "BEGIN SELECT IF(a, 1, 2), repeat('a', 2), w.end, w.begin, end FROM w; SELECT 1; END",
        "BEGIN DROP TABLE IF EXISTS t; CREATE TABLE IF NOT EXISTS t (a INT); SELECT 1; END",
        "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SELECT 1; END; SELECT 2; END",
        "BEGIN DECLARE EXIT HANDLER FOR NOT FOUND SELECT 1; BEGIN SELECT 2; END; END",
        "BEGIN -- END; a comment\n SELECT 'END;'; /* END; */ SELECT `END;`; END",
        "-- BEGIN;\nSELECT 1",
        "BEGIN SELECT 1 AS a; END -- done; really"
      })
  void semicolonsBetweenBeginAndEndDoNotSplit(String script) {
    assertThat(SqlStatements.of("SELECT 0; " + script + "\n; SELECT 9"))
        .containsExactly("SELECT 0", script, "SELECT 9");
    assertThat(SqlStatements.of(script)).containsExactly(script);
    assertThat(SqlStatements.isComplete(script + "\n;")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN SELECT 1;",
        "BEGIN IF a THEN SELECT 1; END IF;",
        "BEGIN SELECT CASE WHEN a THEN 1 END;",
        "BEGIN BEGIN SELECT 1; END;"
      })
  void scriptIsIncompleteUntilItsEnd(String script) {
    assertThat(SqlStatements.isComplete(script)).isFalse();
    assertThat(SqlStatements.of(script)).hasSize(1);
  }

  @Test
  void blockKeywordsOutsideAScriptOpenNoBlock() {
    assertThat(SqlStatements.of("SELECT CASE a WHEN 1 THEN 2 END; SELECT begin FROM t; SELECT 1"))
        .hasSize(3);
  }
}
