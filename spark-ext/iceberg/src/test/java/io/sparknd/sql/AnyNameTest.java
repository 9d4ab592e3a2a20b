/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.TestSamples;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests arbitrary names of tables, namespaces, columns and batches. Each name is used as given or
 * rejected; no other table changes, and no file is written outside the catalog.
 */
class AnyNameTest {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final Retention NOTHING = Retention.of(Duration.ZERO);

  @TempDir static Path outside;

  private static Path lake;

  /** The value of each table created so far, by name. */
  private static final Map<String, Integer> MADE = new LinkedHashMap<>();

  @BeforeAll
  static void makeCatalogs() {
    lake = outside.resolve("a/b/c/lake");
    LocalCatalog.addTo(SPARK, "anyname", lake);
    SPARK.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(SPARK);
    make("anyname.safe.t", 1);
  }

  static List<String> names() {
    return List.of(
        "it's",
        "a\"b",
        "a`b",
        "`",
        "``",
        "a;b",
        "t; DROP TABLE anyname.safe.t; --",
        "t` (i0 bigint); DROP TABLE anyname.safe.t; --",
        "' OR '1'='1",
        "x'--",
        "/* x */",
        "--x",
        "a.b",
        ".",
        "..",
        "../up",
        "../../../../up",
        "..\\up",
        "safe/t",
        "/etc",
        "file:/x",
        "catalog.db",
        "a:b",
        "a=b",
        "a+b",
        "a&b",
        "a#b?c",
        "%2e%2e%2f",
        "%s%n%d",
        "*",
        "[x]{a,b}",
        "$(touch x)",
        "\\",
        "a\nb",
        "a\tb",
        " a ",
        "ünï",
        "u\u0308ni\u0308",
        "表",
        "😀",
        "select",
        "metadata",
        "files",
        "branch_main",
        "l" + "o".repeat(300) + "ng");
  }

  private static List<String> few() {
    return List.of("it's", "a`b", "t; DROP TABLE anyname.safe.t; --", "../../../../up", "a\nb");
  }

  private static String quoted(String part) {
    return "`" + part.replace("`", "``") + "`";
  }

  private static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private static void make(String table, int value) {
    TensorTable made = TensorTable.create(SPARK, table, TensorSpec.of(DType.INT32, Shape.of(4)));
    made.scatter(
        Scatter.add(),
        SPARK.sql("SELECT 2L AS i0, " + value + " AS value"),
        TensorColumns.of("value", "i0"));
    MADE.put(table, value);
  }

  private static Tensor values(String table) {
    try (DistributedTensor tensor = TensorTable.open(SPARK, table).load(Partitioning.of(1))) {
      return tensor.collect();
    }
  }

  private static Tensor with(int value) {
    return Tensor.of(Shape.of(4), 0, 0, value, 0);
  }

  @ParameterizedTest
  @MethodSource("few")
  void tablesAndNamespacesMayHaveAnyName(String name) {
    roundTrip(name + "1", name);
  }

  private static void roundTrip(String namespace, String name) {
    String table = "anyname." + quoted(namespace) + "." + quoted(name);
    int value = 100 + MADE.size();
    Row made =
        SPARK
            .sql(
                "CALL nd.system.create_tensor("
                    + literal(table)
                    + ", dtype => 'int32', shape => array(4))")
            .first();
    assertThat(SqlNames.parts(made.getString(0))).containsExactly("anyname", namespace, name);
    String scatter =
        "CALL nd.system.scatter_nd("
            + literal(table)
            + ", updates => "
            + literal("SELECT 2 AS i0, " + value + " AS value")
            + ", batch_id => "
            + literal(name.replace(",", "_"))
            + ")";
    assertThat(SPARK.sql(scatter).first().<String>getAs("outcome")).isEqualTo("committed");
    assertThat(SPARK.sql(scatter).first().<String>getAs("outcome")).isEqualTo("replayed");
    MADE.put(table, value);
    assertThat(values(table)).isEqualTo(with(value));
    assertThat(SPARK.sql("SELECT value FROM " + table).first().getInt(0)).isEqualTo(value);
    assertThat(
            SPARK
                .sql("SELECT * FROM gather_nd(TABLE(" + table + "), TABLE(SELECT 2 AS i))")
                .first()
                .getInt(1))
        .isEqualTo(value);
    assertThat(SPARK.sql("CALL nd.system.check(" + literal(table) + ")").count()).isZero();
    assertThat(TensorTable.open(SPARK, made.getString(0)).name()).isEqualTo(made.getString(0));
  }

  /**
   * After all tables are created, each has its own values, even after files of every sixth are
   * removed.
   */
  @Test
  @Tag("slow")
  void tablesDoNotShareFiles() throws IOException {
    TestSamples.of(names(), 20).forEach(name -> roundTrip(name, name));
    List<String> made = List.copyOf(MADE.keySet());
    for (int i = 0; i < made.size(); i += 6) {
      TensorTable.open(SPARK, made.get(i)).expire(NOTHING);
      removeOrphans(made.get(i));
    }
    MADE.forEach((table, value) -> assertThat(values(table)).as(table).isEqualTo(with(value)));
    assertThat(new TreeSet<>(locations())).hasSameSizeAs(MADE.keySet());
    assertNothingOutside();
  }

  /**
   * Removes orphan files. Iceberg's JDBC catalog lists a namespace with a dot as several, so in
   * such a namespace nothing may be deleted.
   */
  private static void removeOrphans(String table) {
    TensorTable tensor = TensorTable.open(SPARK, table);
    if (SqlNames.parts(tensor.name()).get(1).contains(".")) {
      assertThatThrownBy(() -> tensor.removeOrphans(Duration.ZERO))
          .hasMessageContaining("nothing was deleted");
    } else {
      tensor.removeOrphans(Duration.ZERO);
    }
  }

  private static List<String> locations() {
    return MADE.keySet().stream()
        .map(table -> TensorTable.open(SPARK, table).iceberg().location())
        .toList();
  }

  private static void assertNothingOutside() throws IOException {
    try (Stream<Path> all = Files.walk(outside)) {
      assertThat(all.filter(Files::isRegularFile)).isNotEmpty().allMatch(f -> f.startsWith(lake));
    }
  }

  /**
   * A renamed table keeps its directory. A new table or namespace with the old name gets another
   * one.
   */
  @Test
  void renamedTableKeepsItsDirectory() {
    make("anyname.renamed.t", 7);
    SPARK.sql("ALTER TABLE anyname.renamed.t RENAME TO renamed.old");
    MADE.put("anyname.renamed.old", MADE.remove("anyname.renamed.t"));
    make("anyname.renamed.t", 8);
    make("anyname.renamed.t.inner", 9);
    for (String table : List.of("t", "old", "t.inner")) {
      TensorTable.open(SPARK, "anyname.renamed." + table).expire(NOTHING);
      TensorTable.open(SPARK, "anyname.renamed." + table).removeOrphans(Duration.ZERO);
    }
    assertThat(values("anyname.renamed.old")).isEqualTo(with(7));
    assertThat(values("anyname.renamed.t")).isEqualTo(with(8));
    assertThat(values("anyname.renamed.t.inner")).isEqualTo(with(9));
  }

  private static List<String> some() {
    return TestSamples.of(names(), 22);
  }

  @ParameterizedTest
  @MethodSource("some")
  @Tag("slow")
  void columnsMayHaveAnyName(String name) {
    String index = name.replace(",", "_");
    String value = "v" + index;
    String order = "o" + index;
    String columns =
        ", index_columns => "
            + literal(index)
            + ", value_column => "
            + literal(value)
            + ", order_by => array("
            + literal(order)
            + ")";
    String rows =
        "SELECT 1 AS "
            + quoted(order)
            + ", 2 AS "
            + quoted(index)
            + ", 30 AS "
            + quoted(value)
            + " UNION ALL SELECT 0, 2, 40";
    List<Row> scattered =
        SPARK
            .sql(
                "SELECT * FROM tensor_scatter_nd_update(TABLE(SELECT id AS "
                    + quoted(index)
                    + ", int(id) AS "
                    + quoted(value)
                    + " FROM range(4)), TABLE("
                    + rows
                    + "), array(4)"
                    + columns
                    + ") WHERE "
                    + quoted(index)
                    + " = 2")
            .collectAsList();
    assertThat(scattered).hasSize(1);
    assertThat(scattered.get(0).<Integer>getAs(value)).isEqualTo(30);
  }

  @ParameterizedTest
  @MethodSource("some")
  @Tag("slow")
  void columnsOfTensorTablesMayHaveAnyName(String name) throws IOException {
    String index = name.replace(",", "_");
    String value = "v" + index;
    String table = "anyname.columns.t" + names().indexOf(name);
    String make =
        "CALL nd.system.create_tensor("
            + literal(table)
            + ", 'int32', array(4), index_columns => "
            + literal(index)
            + ", value_columns => "
            + literal(value)
            + ")";
    String scatter =
        "CALL nd.system.scatter_nd("
            + literal(table)
            + ", updates => "
            + literal("SELECT 2 AS " + quoted(index) + ", 5 AS " + quoted(value))
            + ", index_columns => "
            + literal(index)
            + ", value_column => "
            + literal(value)
            + ")";
    try {
      SPARK.sql(make);
      SPARK.sql(scatter);
    } catch (SparkNdException e) {
      assertThat(name).hasSizeGreaterThan(200); // used as a directory name
      return;
    }
    assertThat(values(table)).isEqualTo(with(5));
    assertThat(SPARK.table(table).select(quoted(value)).first().getInt(0)).isEqualTo(5);
    assertNothingOutside();
  }

  /** The text of a query must be a single query that only reads. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP TABLE anyname.safe.t",
        "safe.t; DROP TABLE anyname.safe.t",
        "SELECT 2 AS i0, 5 AS value; DROP TABLE anyname.safe.t",
        "SELECT 2 AS i0, 5 AS value); DROP TABLE anyname.safe.t; --",
        "SELECT 2 AS i0, 5 AS value) UNION ALL (SELECT 3, 6",
        "SELECT 2 AS i0, 5 AS value) --",
        "SELECT 2 AS i0, 5 AS value) /*",
        "INSERT INTO anyname.safe.t SELECT 3L, 4",
        "FROM anyname.safe.t INSERT INTO anyname.safe.t SELECT 3L, 4",
        "CREATE TABLE anyname.safe.u AS SELECT 1 AS x",
        "CALL nd.system.scatter_nd('anyname.safe.t', 'SELECT 3, 4')",
        "SET spark.sparknd.kernel = scalar",
        "BEGIN DROP TABLE anyname.safe.t; END",
        "",
        "'",
        "`",
      })
  void updatesOtherThanAQueryAreRejected(String updates) {
    String call =
        "CALL nd.system.scatter_nd('anyname.safe.t', updates => " + literal(updates) + ")";
    assertThatThrownBy(() -> SPARK.sql(call))
        .isInstanceOfAny(AnalysisException.class, SparkNdException.class);
    assertThat(values("anyname.safe.t")).isEqualTo(with(1));
    assertThat(SPARK.sql("SHOW TABLES IN anyname.safe").count()).isEqualTo(1);
    assertThat(SPARK.conf().getOption("spark.sparknd.kernel").isDefined()).isFalse();
  }

  /** Rejects text that is not a table name. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "anyname..t", "anyname.safe.t t", "anyname.safe.t; x", "a`b"})
  void textThatIsNotATableNameIsRejected(String text) {
    List<String> calls = new ArrayList<>();
    for (String procedure : List.of("info", "check", "compact")) {
      calls.add("CALL nd.system." + procedure + "(" + literal(text) + ")");
    }
    calls.add("CALL nd.system.create_tensor(" + literal(text) + ", 'int32', array(4))");
    calls.add("CALL nd.system.scatter_nd(" + literal(text) + ", 'SELECT 2, 5')");
    for (String call : calls) {
      assertThatThrownBy(() -> SPARK.sql(call))
          .as(call)
          .isInstanceOfAny(AnalysisException.class, SparkNdException.class);
    }
  }

  /** Iceberg does not support NUL in namespaces. */
  @Test
  void namespaceWithNulIsRejected() {
    String name = "anyname.`a\0b`.t";
    TensorSpec spec = TensorSpec.of(DType.INT32, Shape.of(4));
    assertThatThrownBy(() -> TensorTable.create(SPARK, name, spec))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not a table name");
    assertThatThrownBy(() -> TensorTable.open(SPARK, name))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not a table name");
  }
}
