/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.UserTables.events;
import static io.sparknd.table.UserTables.rows;
import static io.sparknd.table.UserTables.sql;
import static io.sparknd.table.UserTables.texts;
import static io.sparknd.table.UserTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tables of variables by keys: types, reductions, batches and errors. */
class FeatureTableTest {
  @Test
  void eachVariableIsReducedAsDeclared() {
    FeatureTable table = users();
    TableCommit commit =
        table
            .write()
            .batchId("1")
            .scatter(
                events(
                    "('u1', 1L, '2026-03-01', 5.00, 'Oslo', array(1F, 2F, 3F))",
                    "('u2', 2L, '2026-03-02', 9.99, 'Bern', array(0F, 0F, 1F))",
                    "('u1', 3L, '2026-02-01', 4.50, 'Rome', array(1F, 1F, 1F))"))
            .commit();
    assertThat(commit.outcome()).isEqualTo(TableCommit.Outcome.COMMITTED);
    assertThat(commit.updates()).isEqualTo(3);
    assertThat(commit.rows()).isEqualTo(2);
    table
        .write()
        .batchId("2")
        .scatter(
            events(
                "('u1', 10L, '2026-02-20', 7.00, 'Bonn', array(0F, 0F, 1F))",
                "('u3', NULL, '2026-03-03', NULL, NULL, NULL)"))
        .commit();
    Dataset<Row> found =
        table
            .toDataset()
            .selectExpr("user", "views", "date(seen)", "cheapest", "city", "taste")
            .orderBy("user");
    assertThat(found.collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[u1,14,2026-03-01,4.50,Oslo,ArraySeq(2.5, 3.5, 5.5)]",
            "[u2,2,2026-03-02,9.99,Bern,ArraySeq(0.5, 0.5, 1.5)]",
            "[u3,0,2026-03-03,null,null,ArraySeq(0.5, 0.5, 0.5)]");
  }

  @Test
  void batchIsAppliedOnce() {
    FeatureTable table = users();
    Dataset<Row> rows = events("('u1', 1L, '2026-03-01', 5.00, 'Oslo', array(1F, 2F, 3F))");
    table.write().batchId("a").scatter(rows).commit();
    List<String> once = rows(table);
    assertThat(table.write().batchId("a").scatter(rows).commit().outcome())
        .isEqualTo(TableCommit.Outcome.REPLAYED);
    assertThat(rows(table)).isEqualTo(once);
    assertThat(rows(table.batch("a"))).isEqualTo(once);
  }

  @Test
  void gatherAddsVariablesAndFillValues() {
    FeatureTable table = users();
    table.scatter(
        events(
            "('u1', 1L, '2026-03-01', 5.00, 'Oslo', array(1F, 2F, 3F))",
            "('u2', NULL, '2026-03-02', 9.99, 'Bern', NULL)"));
    Dataset<Row> labels =
        sql(
            "SELECT * FROM VALUES ('u2', 1), ('u9', 2), ('u1', 3), (NULL, 4), ('u1', 5) AS l(u, n)");
    assertThat(
            table
                .gather(labels, List.of("u"), "views", "city", "taste")
                .orderBy("n")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[u2,1,0,Bern,ArraySeq(0.5, 0.5, 0.5)]",
            "[u9,2,0,null,ArraySeq(0.5, 0.5, 0.5)]",
            "[u1,3,1,Oslo,ArraySeq(1.5, 2.5, 3.5)]",
            "[null,4,0,null,ArraySeq(0.5, 0.5, 0.5)]",
            "[u1,5,1,Oslo,ArraySeq(1.5, 2.5, 3.5)]");
  }

  @Test
  void keyOfSeveralColumnsOfEveryType() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("name", "string")
                .andKey("day", "date")
                .andKey("code", "binary")
                .andKey("n", "int")
                .bucketedBy("day")
                .with(Variable.of("v", "double").reducedBy(VariableReduction.add()))
                .withBuckets(3));
    String rows =
        "SELECT concat('a', chr(id % 3), 'b') AS name, date_add(date'2026-01-01', int(id % 5)) AS"
            + " day, unhex(hex(id % 7)) AS code, int(id % 2 - 1) AS n, double(id) AS v FROM"
            + " range(400)";
    table.scatter(sql(rows));
    table.scatter(sql(rows));
    List<Row> expected =
        sql("SELECT name, day, code, n, 2 * sum(v) FROM (" + rows + ") GROUP BY 1, 2, 3, 4")
            .collectAsList();
    assertThat(texts(table.toDataset().collectAsList())).isEqualTo(texts(expected));
    Dataset<Row> keys = sql("SELECT DISTINCT name, day, code, n FROM (" + rows + ")");
    assertThat(texts(table.gather(keys, List.of("name", "day", "code", "n")).collectAsList()))
        .isEqualTo(texts(expected));
  }

  @Test
  void countsMeansAndLists() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.count()))
                .with(Variable.of("rating", "double").reducedBy(VariableReduction.mean()))
                .with(Variable.of("at", "int").reducedBy(VariableReduction.max()))
                .with(Variable.of("recent", "array<string>").reducedBy(VariableReduction.lastN(2)))
                .with(
                    Variable.of("newest", "array<string>")
                        .reducedBy(VariableReduction.lastN(2, "at")))
                .with(Variable.of("origin", "string").reducedBy(VariableReduction.first("at"))));
    String of =
        "SELECT k, k AS n, rating, at, array(w) AS recent, array(w) AS newest, w AS origin FROM"
            + " VALUES %s AS e(k, rating, at, w)";
    table.scatter(sql(of.formatted("(1L, 4D, 5, 'a'), (1L, 1D, 3, 'b'), (2L, 2D, 1, 'c')")));
    table.scatter(sql(of.formatted("(1L, 1D, 4, 'd')")));
    assertThat(
            table
                .toDataset()
                .selectExpr("k", "n", "rating", "at", "recent", "newest", "origin")
                .orderBy("k")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[1,3,2.0,5,ArraySeq(b, d),ArraySeq(d, a),b]", "[2,1,2.0,1,ArraySeq(c),ArraySeq(c),c]");
  }

  @Test
  void extremesOfNumbersSkipNaN() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("least", "double").reducedBy(VariableReduction.fmin()))
                .with(Variable.of("most", DType.FLOAT32, 2).reducedBy(VariableReduction.fmax()))
                .with(Variable.of("low", "double").reducedBy(VariableReduction.min()))
                .with(Variable.of("day", "date").reducedBy(VariableReduction.fmax()))
                .with(Variable.of("word", "string").reducedBy(VariableReduction.fmin())));
    String updates =
        "SELECT 'a' AS k, v AS least, array(float(v), float('NaN')) AS most, v AS low, d AS day,"
            + " w AS word FROM VALUES %s AS e(v, d, w)";
    table.scatter(
        sql(
            updates.formatted(
                "(double('NaN'), date'2026-01-01', 'b'), (3D, date'2025-01-01', 'a')")));
    table.scatter(
        sql(updates.formatted("(double('NaN'), date'2026-01-02', 'c'), (2D, NULL, NULL)")));
    assertThat(table.toDataset().select("least", "most", "low", "day", "word").first())
        .hasToString("[2.0,ArraySeq(3.0, NaN),NaN,2026-01-02,a]");
  }

  /** NaN is greater than all numbers, so no later update would win. */
  @ParameterizedTest
  @ValueSource(strings = {"double", "float"})
  void anOrderThatIsNaNIsAnError(String type) {
    for (VariableReduction reduction :
        List.of(VariableReduction.last("version"), VariableReduction.first("version"))) {
      FeatureTable table =
          UserTables.create(
              FeatureTableSpec.keyedBy("k", "string")
                  .with(Variable.of("version", type))
                  .with(Variable.of("plan", "string").reducedBy(reduction))
                  .with(
                      Variable.of("plans", "array<string>")
                          .reducedBy(VariableReduction.lastN(9, "version"))));
      String update = "SELECT 'a' AS k, %s('%s') AS version, %s AS plan, %s AS plans";
      table.scatter(sql(update.formatted(type, "1", "'one'", "array('one')")));
      for (String plan : List.of("'none', NULL", "NULL, array('none')")) {
        String[] values = plan.split(", ", 2);
        assertThatThrownBy(
                () -> table.scatter(sql(update.formatted(type, "NaN", values[0], values[1]))))
            .hasMessageContaining("its order is NaN");
      }
      table.scatter(sql(update.formatted(type, "NaN", "NULL", "NULL")));
      table.scatter(sql(update.formatted(type, "2", "'two'", "array('two')")));
      assertThat(table.toDataset().selectExpr("plan", "array_join(plans, ' ')").first())
          .hasToString(reduction.name().equals("last") ? "[two,one two]" : "[one,one two]");
    }
  }

  @Test
  void sketchesAreUnited() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.keyedBy("k", "int")
                .with(Variable.of("visitors", "binary").reducedBy(VariableReduction.hllUnion())));
    for (String part : List.of("range(0, 600)", "range(400, 1000)")) {
      table.scatter(
          sql(
              "SELECT int(id % 2) AS k, hll_sketch_agg(id) AS visitors FROM "
                  + part
                  + " GROUP BY 1"));
    }
    List<Row> found = table.toDataset().selectExpr("hll_sketch_estimate(visitors)").collectAsList();
    assertThat(found).hasSize(2);
    assertThat(found).allSatisfy(row -> assertThat(row.getLong(0)).isBetween(480L, 520L));
    Dataset<Row> coarse = sql("SELECT 1 AS k, hll_sketch_agg(id, 6) AS visitors FROM range(9)");
    assertThatThrownBy(() -> table.scatter(coarse))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("a sketch of lgConfigK 6 would make the stored one of lgConfigK 12");
  }

  @Test
  void numberedAxisChecksItsBounds() {
    FeatureTable table =
        UserTables.create(
            FeatureTableSpec.numbered("id", 100)
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add())));
    table.scatter(sql("SELECT id % 10 AS id, id AS v FROM range(100)"));
    assertThat(table.toDataset().count()).isEqualTo(10);
    Dataset<Row> bad = sql("SELECT * FROM VALUES (5L, 1L), (100L, 1L), (NULL, 1L) AS t(id, v)");
    assertThatThrownBy(() -> table.scatter(bad))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("id = 100 is out of bounds");
    TableCommit commit =
        table.write().scatter(bad, FeatureUpdates.declared().ignoringBadKeys()).commit();
    assertThat(commit.dropped()).isEqualTo(2);
    assertThat(commit.rows()).isEqualTo(1);
  }

  @Test
  void nullKeyIsAnErrorWithTheColumn() {
    FeatureTable table = users();
    assertThatThrownBy(() -> table.scatter(sql("SELECT CAST(NULL AS string) AS user, 1L AS views")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("key column user is NULL");
    assertThat(table.snapshot()).isEmpty();
  }

  @Test
  void wrongColumnsAreNamed() {
    FeatureTable table = users();
    assertThatThrownBy(() -> table.scatter(sql("SELECT 'a' AS user, 1 AS likes")))
        .hasMessageContaining("no variable likes");
    assertThatThrownBy(() -> table.scatter(sql("SELECT 'a' AS user, 'x' AS views")))
        .hasMessageContaining("column views is string");
    assertThatThrownBy(() -> table.scatter(sql("SELECT 'a' AS user, array(1F) AS taste")))
        .hasMessageContaining("taste")
        .hasMessageContaining("has 1 values");
    assertThat(table.snapshot()).isEmpty();
  }

  @Test
  void compactionChangesNoValueAndExpiryNoBatch() {
    FeatureTable table = users();
    for (int batch = 0; batch < 4; batch++) {
      table
          .write()
          .batchId("b" + batch)
          .scatter(
              sql(
                  "SELECT concat('u', (id + 13 * "
                      + batch
                      + ") % 50) AS user, id AS views, array(float(id), 1F, 0.1F) AS taste FROM"
                      + " range(15)"))
          .commit();
    }
    List<String> before = rows(table);
    assertThat(table.compact().outcome()).isEqualTo(TableCommit.Outcome.COMMITTED);
    assertThat(table.compact().outcome()).isEqualTo(TableCommit.Outcome.EMPTY);
    assertThat(rows(table)).isEqualTo(before);
    table.expire(Retention.of(Duration.ZERO));
    assertThat(rows(table)).isEqualTo(before);
    assertThat(
            table
                .write()
                .batchId("b2")
                .scatter(events("('u1', 1L, NULL, NULL, NULL, NULL)"))
                .commit()
                .outcome())
        .isEqualTo(TableCommit.Outcome.REPLAYED);
  }

  @Test
  void variablesComeAndGo() {
    FeatureTable table = users();
    table.scatter(events("('u1', 1L, '2026-03-01', 5.00, 'Oslo', array(1F, 2F, 3F))"));
    table
        .addVariable(Variable.of("likes", "bigint").reducedBy(VariableReduction.add()).withFill(10))
        .addVariable(Variable.of("mood", "string").reducedBy(VariableReduction.last("seen")))
        .addVariable(Variable.of("look", DType.FLOAT64, 2).binary().withFill(1.5));
    assertThat(table.toDataset().selectExpr("likes", "mood").collectAsList())
        .extracting(Row::toString)
        .containsExactly("[10,null]");
    table.scatter(
        sql(
            "SELECT * FROM VALUES ('u1', 1L, 'good', timestamp'2026-03-02'), ('u2', 2L, 'bad',"
                + " timestamp'2026-03-02') AS t(user, likes, mood, seen)"));
    assertThat(
            table
                .toDataset()
                .selectExpr("user", "views", "likes", "mood", "mood__seen", "look")
                .orderBy("user")
                .selectExpr("user", "views", "likes", "mood", "date(mood__seen)", "hex(look)")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[u1,1,11,good,2026-03-02,000000000000F83F000000000000F83F]",
            "[u2,0,12,bad,2026-03-02,000000000000F83F000000000000F83F]");
    table.renameVariable("likes", "hearts").dropVariable("look").dropVariable("mood");
    table.scatter(sql("SELECT 'u2' AS user, 5L AS hearts"));
    assertThat(table.variables())
        .containsExactly("views", "seen", "cheapest", "city", "taste", "hearts");
    assertThat(table.gather(sql("SELECT 'u2' AS u"), List.of("u"), "hearts").first().getLong(1))
        .isEqualTo(17);
    assertThatThrownBy(() -> table.dropVariable("seen")).hasMessageContaining("orders the updates");
    assertThatThrownBy(() -> table.addVariable(Variable.of("Views", "int")))
        .hasMessageContaining("already");
  }

  /** Rows of files from before a variable was added have its fill value, as rows never written. */
  @ParameterizedTest
  @CsvSource({
    "boolean, yes, true",
    "boolean, TRUE, true",
    "boolean, 0, false",
    "float, NaN, NaN",
    "double, -Infinity, -Infinity",
    "double, 0.5, 0.5",
    "'decimal(5,2)', 1.5, 1.50",
    "'decimal(5,2)', 1.555, 1.56",
  })
  void anAddedVariableHasItsFillValue(String type, String fill, String expected) {
    FeatureTable table = UserTables.create(FeatureTableSpec.keyedBy("k", "string").withBuckets(1));
    table.scatter(sql("SELECT 'old' AS k"));
    table.addVariable(Variable.of("v", type).withFill(fill));
    FeatureTable opened = FeatureTable.open(TestTables.spark(), table.name());
    opened.scatter(sql("SELECT 'new' AS k"));
    for (String key : List.of("old", "new", "none")) {
      Dataset<Row> found = opened.gather(sql("SELECT '" + key + "' AS k"), List.of("k"));
      assertThat(found.first().get(1)).as(key).hasToString(expected);
    }
  }

  @Test
  void variablesHaveTypesThatIcebergHas() {
    FeatureTable table =
        UserTables.create(FeatureTableSpec.keyedBy("k", "bigint").with(Variable.of("n", "bigint")));
    Variable took = Variable.of("took", "interval day to second");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> table.addVariable(took),
            () -> UserTables.create(FeatureTableSpec.keyedBy("k", "bigint").with(took)))) {
      assertThatThrownBy(call)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("variable took is interval day to second")
          .hasMessageContaining("bigint for a duration");
    }
  }
}
