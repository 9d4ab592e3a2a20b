/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code sparknd sql} as scripts run it. */
class SqlTest {
  private static final String ROWS =
      "SELECT * FROM VALUES (1, 'a, b', array(1.5, 2)), (2, NULL, array()) AS t(id, name, v)";

  /** A call of Java in the tasks, whose exception has no condition. */
  private static final String CALL =
      "SELECT java_method('java.lang.Integer', 'parseInt', concat(id, 'x\\ny')) FROM range(2)";

  @BeforeAll
  static void startSpark() {
    LocalSpark.session();
  }

  @Test
  void rowsPrintAsATable() {
    assertThat(CliRun.of("sql", "-e", "SELECT 1 AS one, 'x' AS letter").out())
        .isEqualTo(
            """
            +---+------+
            |one|letter|
            +---+------+
            |1  |x     |
            +---+------+

            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1 AS plan", "'x' AS plan", "2 AS function_desc", "NULL AS createtab_stmt"})
  void queriesWithTheColumnOfACommandPrintAsATable(String column) {
    CliRun run = CliRun.of("sql", "-e", "SELECT " + column);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("+--").contains("|" + column.split(" ")[2]);
  }

  @Test
  void textOfCommandsIsPrintedVerbatim() {
    assertThat(CliRun.of("sql", "-e", "EXPLAIN SELECT 1").out()).startsWith("== Physical Plan ==");
    assertThat(CliRun.of("sql", "-e", "DESCRIBE FUNCTION abs").out()).startsWith("Function: abs");
  }

  @Test
  void rowsAreWrittenAsCsvWithTheirNames() {
    assertThat(CliRun.of("sql", "--format", "csv", "-e", ROWS).out().lines())
        .hasSize(3)
        .startsWith("id,name,v", "1,\"a, b\",\"[1.5, 2.0]\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "csv", "json"})
  void aNegativeNumberOfRowsIsAnError(String format) {
    CliRun run = CliRun.of("sql", "--rows", "-1", "--format", format, "-e", ROWS);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("--rows is -1; it must be at least 0");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void theKernelOfTheSettingsIsNeverReplacedByTheDefault() {
    String setting = "spark.sparknd.kernel=scalar";
    String show = "SET spark.sparknd.kernel";
    assertThat(CliRun.of("sql", "--format", "csv", "--conf", setting, "-e", show).lastLine())
        .isEqualTo("spark.sparknd.kernel,scalar");
    assertThat(
            CliRun.of("sql", "--format", "csv", "--conf", setting, "--kernel", "auto", "-e", show)
                .lastLine())
        .isEqualTo("spark.sparknd.kernel,auto");
    assertThat(CliRun.of("sql", "--conf", "spark.sparknd.kernel=fast", "-e", show).err())
        .contains("kernel 'fast' is");
  }

  @Test
  void rowsAreWrittenAsJson() {
    assertThat(CliRun.of("sql", "--format", "json", "-e", ROWS).out())
        .isEqualTo(
            """
            {"id":1,"name":"a, b","v":[1.5,2.0]}
            {"id":2,"v":[]}
            """);
  }

  @Tag("slow")
  @Test
  void semicolonsBetweenBeginAndEndDoNotSplitTheScript() {
    String script =
        """
        BEGIN
          DECLARE EXIT HANDLER FOR SQLSTATE '22003'
          BEGIN
            SELECT 'handled' AS answer;
          END;
          SELECT * FROM scatter_nd(TABLE(VALUES (9, 1.0D)), shape => array(4));
        END;
        SELECT 2 AS two;
        """;
    assertThat(CliRun.of("sql", "--format", "csv", "-e", script).out().lines())
        .containsExactly("answer", "handled", "two", "2");
  }

  @Test
  void aFileOfStatementsRunsInOrderInOneSession(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("script.sql");
    Files.writeString(
        file, "CREATE TEMPORARY VIEW v AS SELECT 7 AS x; -- a view\nSELECT x + 1 AS y FROM v");

    assertThat(CliRun.of("sql", "--format", "csv", "-f", file).out()).isEqualTo("y\n8\n");
  }

  @Test
  void outputIsLimitedToTheRequestedNumberOfRows() {
    CliRun run =
        CliRun.of("sql", "--format", "csv", "--rows", "2", "-e", "SELECT id FROM range(10)");

    assertThat(run.out()).isEqualTo("id\n0\n1\n");
  }

  @Test
  void scriptStopsAtItsFirstErrorAndNamesIt() {
    CliRun run = CliRun.of("sql", "-e", "SELECT 1; SELECT nothing_there; SELECT 3");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("statement 2 of 3: [UNRESOLVED_COLUMN", "line 1 pos 7");
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.out()).doesNotContain("3");
  }

  @Test
  void failuresWithoutAConditionAreInternalErrors() {
    CliRun run = CliRun.of("sql", "-e", "SELECT 1;" + CALL + "; SELECT 3");
    assertThat(run.code()).isEqualTo(Main.UNEXPECTED);
    assertThat(run.err().lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith("sparknd: internal error: statement 2 of 3: java.lang.NumberFormatException: ")
        .endsWith("x");
  }

  @Test
  void failedStatementsHaveTheirStackTraceOnRequest() {
    assertThat(CliRun.of("sql", "--verbose", "-e", CALL).err())
        .contains(
            "Caused by: java.lang.NumberFormatException: ", "\tat java.base/java.lang.Integer");
    CliRun run = CliRun.of("sql", "--verbose", "-e", "SELECT nothing_there");
    assertThat(run.code()).isEqualTo(Main.USER_ERROR);
    assertThat(run.err())
        .startsWith("sparknd: [UNRESOLVED_COLUMN")
        .contains("Caused by: ", "\tat org.apache.spark.");
  }

  @Test
  void conditionsOfSparkInTasksAreUserErrors() {
    CliRun run = CliRun.of("sql", "-e", "SELECT CAST(string(id) || 'x' AS INT) FROM range(2)");
    assertThat(run.code()).isEqualTo(Main.USER_ERROR);
    assertThat(run.err()).startsWith("sparknd: [CAST_INVALID_INPUT]");
  }

  @Test
  void aMissingFileIsRefused(@TempDir Path folder) {
    CliRun run = CliRun.of("sql", "-f", folder.resolve("none.sql"));

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("none.sql");
  }

  @Test
  void settingsOfSparkApply() {
    CliRun run =
        CliRun.of(
            "sql",
            "--format",
            "csv",
            "--conf",
            "spark.sql.session.timeZone=Asia/Tokyo",
            "-e",
            "SELECT current_timezone() AS zone");

    assertThat(run.out()).isEqualTo("zone\nAsia/Tokyo\n");
  }

  @Test
  void lakeIsCreatedOnFirstUseAndPersists(@TempDir Path folder) throws IOException {
    Path lake = folder.resolve("my l\u00e4ke #1, 20% full");
    assertThat(CliRun.of("sql", "--lake", lake, "-e", "SELECT 1").code()).isZero();
    assertThat(lake).doesNotExist();

    CliRun made =
        CliRun.of(
            "sql",
            "--lake",
            lake,
            "-e",
            "CALL nd.system.create_tensor('lake.demo.t', 'float16', array(4, 2), 'binary');"
                + "CALL nd.system.scatter_nd('lake.demo.t', 'SELECT 1, array(0.5F, 2F)')");
    assertThat(made.err()).isEmpty();
    assertThat(made.code()).isZero();
    assertThat(lake.resolve("catalog.db")).exists();

    CliRun read =
        CliRun.of(
            "sql",
            "--lake",
            lake,
            "--format",
            "csv",
            "-e",
            "SELECT i, value[0] AS v FROM gather_nd(TABLE(lake.demo.t), TABLE(SELECT 1 AS i))");
    assertThat(read.out()).isEqualTo("i,v\n1,0.5\n");
    try (Stream<Path> beside = Files.list(folder)) {
      assertThat(beside).containsExactly(lake);
    }
  }

  /** A file of another charset is no SQL: its characters would be stored as others. */
  @Test
  void aScriptIsUtf8WithOrWithoutAByteOrderMark(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("script.sql");
    Files.writeString(file, "\uFEFFSELECT '\u00e9' AS x");
    assertThat(CliRun.of("sql", "--format", "json", "-f", file).out())
        .isEqualTo("{\"x\":\"\u00e9\"}\n");
    Files.writeString(file, "SELECT '\u00e9' AS x", StandardCharsets.ISO_8859_1);
    CliRun latin = CliRun.of("sql", "-f", file);
    assertThat(latin.code()).isEqualTo(Main.USER_ERROR);
    assertThat(latin.err()).contains("script.sql");
  }

  @Test
  void csvKeepsSpacesOfKeys() {
    CliRun run = CliRun.of("sql", "--format", "csv", "-e", "SELECT ' x ' AS a, 1 AS b");
    assertThat(run.out().lines()).element(1).asString().contains(" x ");
  }

  @Test
  void aCommentWithoutAnEndIsAnError() {
    CliRun run = CliRun.of("sql", "-e", "SELECT 1; /* note * / SELECT 2; SELECT 3");
    assertThat(run.code()).isEqualTo(Main.USER_ERROR);
    assertThat(run.err()).contains("2 of 2");
  }

  @Test
  void catalogOfSparkSettingsReplacesTheLake(@TempDir Path folder) {
    CliRun made =
        CliRun.of(
            "sql",
            "--lake",
            folder.resolve("unused"),
            "--conf",
            "spark.sql.catalog.lake=org.apache.iceberg.spark.SparkCatalog",
            "--conf",
            "spark.sql.catalog.lake.type=hadoop",
            "--conf",
            "spark.sql.catalog.lake.warehouse=" + folder.resolve("shared"),
            "-e",
            "CREATE TABLE lake.demo.t (x int) USING iceberg; INSERT INTO lake.demo.t VALUES (1)");

    assertThat(made.err()).isEmpty();
    assertThat(folder.resolve("shared/demo/t/metadata")).isNotEmptyDirectory();
    assertThat(folder.resolve("unused")).doesNotExist();
  }

  @Test
  void insertsIntoTheLakeAreScattered(@TempDir Path folder) {
    CliRun run =
        CliRun.of(
            "sql",
            "--format",
            "csv",
            "--lake",
            folder.resolve("new"),
            "-e",
            "CREATE NAMESPACE lake.shop; CREATE TABLE lake.shop.users (user STRING, views BIGINT"
                + " DEFAULT 0) USING iceberg TBLPROPERTIES ('sparknd.key' = 'user',"
                + " 'sparknd.variable.views.reduction' = 'add');"
                + " INSERT INTO lake.shop.users VALUES ('a', 1), ('a', 2);"
                + " INSERT INTO lake.shop.users VALUES ('a', 3); SELECT * FROM lake.shop.users");
    assertThat(run.err()).isEmpty();
    assertThat(run.lines()).containsExactly("user,views", "a,6");
  }

  @Test
  void tablesThatNoOtherCallFindsAreNamed(@TempDir Path folder) {
    String made =
        "CREATE DATABASE `2_b`; CREATE VIEW `2_b`.u AS SELECT 0 AS z;"
            + " CREATE TABLE t AS SELECT 1 AS a; CREATE VIEW v AS SELECT 2 AS b; CREATE TEMPORARY VIEW w"
            + " AS SELECT 3 AS c; CREATE TABLE lake.demo.t (x int) USING iceberg";
    assertThat(CliRun.of("sql", "--lake", folder, "-e", made).err())
        .contains("call: `2_b`.u, default.t, default.v.", "lake.NAMESPACE");
    String dropped =
        "DROP DATABASE `2_b` CASCADE; DROP TABLE t; DROP VIEW v; SELECT * FROM lake.demo.t";
    assertThat(CliRun.of("sql", "--lake", folder, "-e", dropped).err()).isEmpty();
  }
}
