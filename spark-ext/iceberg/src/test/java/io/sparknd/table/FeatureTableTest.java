/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.op.Scatter;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.options.FeatureColumns;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Term;
import org.apache.iceberg.types.Types;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tables of variables by keys: types, reductions, batches, and reads by other engines. */
class FeatureTableTest {
  private static Dataset<Row> sql(String query) {
    return TestTables.spark().sql(query);
  }

  private static FeatureTable create(FeatureTableSpec spec) {
    return FeatureTable.create(TestTables.spark(), TestTables.name(), spec);
  }

  private static FeatureTable users() {
    return create(
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(0))
            .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
            .with(Variable.of("cheapest", "decimal(10,2)").reducedBy(VariableReduction.min()))
            .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
            .with(
                Variable.of("taste", DType.FLOAT32, 3)
                    .reducedBy(VariableReduction.add())
                    .withFill(0.5))
            .withBuckets(4));
  }

  private static Dataset<Row> events(String... rows) {
    return sql(
        "SELECT user, views, timestamp(seen) AS seen, CAST(cheapest AS decimal(10,2)) AS cheapest,"
            + " city, taste FROM VALUES "
            + String.join(", ", rows)
            + " AS e(user, views, seen, cheapest, city, taste)");
  }

  private static List<String> rows(FeatureTable table) {
    return table.toDataset().orderBy(table.keyColumns().get(0)).collectAsList().stream()
        .map(Row::toString)
        .toList();
  }

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
        create(
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

  private static List<String> texts(List<Row> rows) {
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, row.length())
                    .mapToObj(
                        i ->
                            row.get(i) instanceof byte[] bytes
                                ? Arrays.toString(bytes)
                                : String.valueOf(row.get(i)))
                    .toList()
                    .toString())
        .sorted()
        .toList();
  }

  @Test
  void countsMeansAndLists() {
    FeatureTable table =
        create(
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
        create(
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
          create(
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
        create(
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
        create(
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
  void rowsThatSparkWroteAreUpdated() {
    FeatureTable table = users();
    sql(
        "INSERT INTO "
            + table.name()
            + " (user, views, taste) VALUES ('z', 5, array(1F, 1F, 1F)), ('a', NULL, NULL)");
    sql("UPDATE " + table.name() + " SET views = 6 WHERE user = 'z'");
    table.scatter(
        sql(
            "SELECT * FROM VALUES ('a', 1L, array(2F, 2F, 2F)), ('z', 1L, array(3F, 3F, 3F)) AS"
                + " t(user, views, taste)"));
    assertThat(table.toDataset().selectExpr("user", "views", "taste").collectAsList())
        .extracting(Row::toString)
        .containsExactlyInAnyOrder(
            "[a,1,ArraySeq(2.5, 2.5, 2.5)]", "[z,7,ArraySeq(4.0, 4.0, 4.0)]");
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
    FeatureTable table = create(FeatureTableSpec.keyedBy("k", "string").withBuckets(1));
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
  void bucketsGrowWithTheRows() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", "100"));
    String rows = "SELECT concat('key ', id) AS k, id AS v FROM range(2000)";
    table.scatter(sql(rows));
    table.compact();
    table.iceberg().refresh();
    assertThat(table.iceberg().spec().toString()).contains("bucket[16]");
    table.scatter(sql(rows));
    table.scatter(sql("SELECT concat('key ', id) AS k, -id AS v FROM range(0, 4000, 2)"));
    assertThat(texts(table.toDataset().collectAsList()))
        .isEqualTo(
            texts(
                sql("SELECT concat('key ', id), sum(v) FROM (SELECT id, 2 * id AS v FROM"
                        + " range(2000) UNION ALL SELECT id, -id FROM range(0, 4000, 2)) GROUP"
                        + " BY id")
                    .collectAsList()));
    assertThat(sql("SELECT * FROM " + table.name() + " WHERE k = 'key 1999'").first().getLong(1))
        .isEqualTo(2 * 1999);
  }

  @Test
  void bucketsOfAnyNumberOfRowsDoNotGrow() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", Long.toString(Long.MAX_VALUE)));
    table.scatter(sql("SELECT id AS k FROM range(10)"));
    table.compact();
    table.iceberg().refresh();
    assertThat(table.iceberg().spec().toString()).contains("bucket[2]");
  }

  /** Format version 1 keeps a void field of the buckets before, and so do later versions of it. */
  @Test
  void bucketsOfFormatVersionOneGrow() {
    FeatureTable made =
        create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(1)
                .withProperty("sparknd.rows-per-bucket", "10")
                .withProperty("format-version", "1"));
    made.scatter(sql("SELECT id AS k, 1L AS v FROM range(40)"));
    made.compact();
    FeatureTable table = FeatureTable.open(TestTables.spark(), made.name());
    assertThat(table.iceberg().spec().fields()).hasSize(2);
    table.scatter(sql("SELECT id AS k, 10L AS v FROM range(80)"));
    table.compact();
    for (String version : List.of("2", "3")) {
      sql(
          "ALTER TABLE "
              + table.name()
              + " SET TBLPROPERTIES ('format-version' = '"
              + version
              + "')");
      FeatureTable opened = FeatureTable.open(TestTables.spark(), table.name());
      assertThat(opened.iceberg().spec().fields()).hasSize(3);
      opened.iceberg().manageSnapshots().createBranch("audit" + version).commit();
      opened.branch("audit" + version).scatter(sql("SELECT 1000L AS k, 1L AS v"));
      opened.scatter(sql("SELECT id AS k, 100L AS v FROM range(30)"));
      assertThat(opened.evict("k = 7").rows()).isEqualTo(1);
    }
    FeatureTable last = FeatureTable.open(TestTables.spark(), table.name());
    assertThat(last.iceberg().spec().toString()).contains("bucket[4]");
    assertThat(last.gather(sql("SELECT id FROM range(100)"), List.of("id")).collectAsList())
        .extracting(row -> row.isNullAt(1) ? -1 : row.getLong(1))
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, 100)
                .mapToObj(k -> k == 7 || k >= 80 ? -1 : k < 30 ? 211 : k < 40 ? 11L : 10)
                .toList());
    assertThat(sql("SELECT v FROM " + table.name() + " WHERE k = 79").first().getLong(0))
        .isEqualTo(10);
    TestTables.spark().conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    Dataset<Row> described = sql("CALL nd.system.describe('" + table.name() + "')");
    assertThat(described.select("partitions").first().getString(0)).isEqualTo("bucket[4](k)");
  }

  @Test
  void filesMayHaveNumbersOfBucketsThatDivideNoOther() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(6));
    Dataset<Row> ones = sql("SELECT concat('u', id) AS k, 1L AS n FROM range(50)");
    table.scatter(ones);
    for (int buckets : List.of(4, 12)) {
      table.iceberg().refresh();
      table
          .iceberg()
          .updateSpec()
          .removeField(table.iceberg().spec().fields().get(0).name())
          .addField("k_bucket_" + buckets, Expressions.bucket("k", buckets))
          .commit();
      table.scatter(ones.where("k LIKE '%" + buckets / 4 + "'"));
    }
    table.scatter(ones);
    Dataset<Row> wrong = table.toDataset().where("n <> 2 + int(k LIKE '%1') + int(k LIKE '%3')");
    assertThat(wrong.collectAsList()).isEmpty();
    for (int i = 0; i < 50; i++) {
      assertThat(table.toDataset().where("k = 'u" + i + "'").count()).isEqualTo(1);
    }
  }

  /** Iceberg's ALTER TABLE adds a partition field by metadata only: files keep their spec. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void partitionFieldsOfOthersRefuseCommitsAlone(boolean isNumbered, boolean isDropped) {
    FeatureTableSpec key =
        isNumbered
            ? FeatureTableSpec.numbered("k", 1000)
            : FeatureTableSpec.keyedBy("k", "bigint").withBuckets(4);
    FeatureTable table =
        create(
            key.with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("day", "date")));
    Dataset<Row> ones = sql("SELECT id AS k, 1L AS n, date'2026-03-04' AS day FROM range(50)");
    table.scatter(ones);
    Table iceberg = table.iceberg();
    iceberg.refresh();
    PartitionField field = iceberg.spec().fields().get(0);
    if (isDropped) {
      iceberg.updateSpec().removeField(field.name()).commit();
    } else {
      iceberg.updateSpec().addField("day_id", Expressions.ref("day")).commit();
    }
    String undo =
        isDropped
            ? "ADD PARTITION FIELD "
                + field.transform().toString().replace('[', '(').replace("]", ", k)")
            : "DROP PARTITION FIELD day_id";
    assertThatThrownBy(() -> table.scatter(ones))
        .isInstanceOf(SparkNdException.class)
        .hasMessageEndingWith("run ALTER TABLE " + table.name() + " " + undo);
    assertThatThrownBy(table::compact).hasMessageContaining(undo);
    FeatureTable reopened = FeatureTable.open(TestTables.spark(), table.name());
    Dataset<Row> labels = sql("SELECT id AS k, current_timestamp() AS at FROM range(50)");
    assertThat(reopened.gather(labels, List.of("k")).where("n = 1").count()).isEqualTo(50);
    assertThat(reopened.gatherAsOf(labels, List.of("k"), AsOf.latest("at")).where("n = 1").count())
        .isEqualTo(50);
    if (isDropped) {
      iceberg.updateSpec().addField(transform(field)).commit();
    } else {
      sql("INSERT INTO " + table.name() + " (k, n, day) VALUES (77, 5, date'2026-03-05')");
      assertThat(reopened.gather(sql("SELECT 77L AS k"), List.of("k")).first().getLong(1))
          .isEqualTo(5);
      iceberg.refresh();
      iceberg.updateSpec().removeField("day_id").commit();
    }
    table.scatter(ones);
    table.compact();
    assertThat(table.toDataset().where("n = if(k = 77, 5, 2)").count())
        .isEqualTo(isDropped ? 50 : 51);
  }

  /** Iceberg widens the elements of an array; the dtype is a property, which stays. */
  @Test
  void slicesThatOthersWidenedAreRead() {
    FeatureTable table = users();
    table.scatter(events("('u1', 1L, '2026-03-01', 5.00, 'Oslo', array(1F, 2F, 0.1F))"));
    table.iceberg().refresh();
    table.iceberg().updateSchema().updateColumn("taste.element", Types.DoubleType.get()).commit();
    FeatureTable wide = FeatureTable.open(TestTables.spark(), table.name());
    wide.scatter(
        sql(
            "SELECT * FROM VALUES ('u1', array(1e300D, 0D, 0D)), ('u2', array(0D, 0D, 1e300D)) AS"
                + " e(user, taste)"));
    wide.compact();
    assertThat(
            wide.gather(sql("SELECT * FROM VALUES 'u1', 'u2', 'u3' AS u(user)"), List.of("user"))
                .orderBy("user")
                .select("taste")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[ArraySeq(1.0E300, 2.5, 0.6000000238418579)]",
            "[ArraySeq(0.5, 0.5, 1.0E300)]",
            "[ArraySeq(0.5, 0.5, 0.5)]");
    assertThatThrownBy(
            () ->
                wide.addVariable(
                    new Variable(
                        "other",
                        DataTypes.createArrayType(DataTypes.DoubleType),
                        Optional.of(DType.FLOAT32),
                        Optional.of(Shape.of(3)),
                        Optional.empty(),
                        Optional.empty())))
        .hasMessageContaining("cannot hold elements of dtype float32");
  }

  private static Term transform(PartitionField field) {
    String text = field.transform().toString();
    int width = Integer.parseInt(text.substring(text.indexOf('[') + 1, text.length() - 1));
    return text.startsWith("bucket")
        ? Expressions.bucket("k", width)
        : Expressions.truncate("k", width);
  }

  @Test
  void aBranchOfFewerBucketsIsWritten() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", "1"));
    Dataset<Row> ones = sql("SELECT concat('u', id) AS k, 1L AS n FROM range(20)");
    table.scatter(ones);
    table.iceberg().manageSnapshots().createBranch("audit").commit();
    table.compact();
    FeatureTable audit = table.branch("audit");
    audit.scatter(ones);
    audit.evict("k = 'u3'");
    audit.compact();
    audit.scatter(ones);
    for (int i = 0; i < 20; i++) {
      String key = "k = 'u" + i + "'";
      assertThat(audit.toDataset().where(key).select("n").first().get(0))
          .isEqualTo(i == 3 ? 1L : 3L);
      assertThat(table.toDataset().where(key).select("n").first().get(0)).isEqualTo(1L);
    }
    table.addVariable(Variable.of("m", "bigint").withFill("4"));
    FeatureTable after = FeatureTable.open(TestTables.spark(), table.name()).branch("audit");
    assertThat(after.toDataset().where("k = 'u1'").first()).hasToString("[u1,3,4]");
  }

  /** Compactions count the rows of the branch, whose files do not fit the blocks of main. */
  @Test
  void aBranchOfFewerBucketsIsCompacted() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", "5"));
    table.scatter(sql("SELECT id AS k, 1L AS n FROM range(40)"));
    table.iceberg().manageSnapshots().createBranch("audit").commit();
    table.compact();
    FeatureTable audit = table.branch("audit");
    audit.scatter(sql("SELECT 1L AS k, 1L AS n"));
    assertThat(audit.compact().rows()).isEqualTo(40);
    assertThat(audit.toDataset().selectExpr("count(*)", "sum(n)").first()).hasToString("[40,41]");
  }

  /** Files of other writers may have times in milliseconds, which Iceberg's reader converts. */
  @Test
  void timesInMillisecondsAreConverted() throws Exception {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
                .with(Variable.of("local", "timestamp_ntz"))
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(1));
    appendMilliseconds(table.iceberg());
    Dataset<Row> keys = sql("SELECT 1L AS k");
    String[] shown = {"unix_millis(seen)", "CAST(local AS string)", "n"};
    String stored = "[1700000000123,2023-11-14 22:13:20.123,7]";
    assertThat(table.toDataset().selectExpr(shown).first()).hasToString(stored);
    assertThat(table.gather(keys, List.of("k")).selectExpr(shown).first()).hasToString(stored);
    table.scatter(sql("SELECT 1L AS k, timestamp_millis(1600000000000) AS seen, 1L AS n"));
    assertThat(table.toDataset().selectExpr(shown).first())
        .hasToString("[1700000000123,2023-11-14 22:13:20.123,8]");
  }

  private static void appendMilliseconds(Table table) throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required int64 k = 1; optional int64 seen (TIMESTAMP(MILLIS,true)) = 2;"
                + " optional int64 local (TIMESTAMP(MILLIS,false)) = 3; optional int64 n = 4; }");
    String file = table.locationProvider().newDataLocation("others.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file))
            .withType(schema)
            .build()) {
      long millis = 1_700_000_000_123L;
      writer.write(
          new SimpleGroup(schema)
              .append("k", 1L)
              .append("seen", millis)
              .append("local", millis)
              .append("n", 7L));
    }
    append(table, file);
  }

  /** Appends a file of one row of the only bucket. */
  private static void append(Table table, String file) {
    DataFile added =
        DataFiles.builder(table.spec())
            .withPath(file)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(table.io().newInputFile(file).getLength())
            .withRecordCount(1)
            .withPartitionValues(List.of("0"))
            .build();
    table.newAppend().appendFile(added).commit();
  }

  @Test
  void updatesBetweenTwoNumbersOfBucketsAreNotLost() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2));
    table.scatter(sql("SELECT id AS k, 1L AS v FROM range(500)"));
    table.iceberg().refresh();
    table
        .iceberg()
        .updateSpec()
        .removeField(table.iceberg().spec().fields().get(0).name())
        .addField("finer", Expressions.bucket("k", 8))
        .commit();
    table.scatter(sql("SELECT 3 * id AS k, 1L AS v FROM range(100)"));
    table.scatter(sql("SELECT 5 * id AS k, 1L AS v FROM range(200)"));
    assertThat(texts(table.toDataset().collectAsList()))
        .isEqualTo(
            texts(
                sql("SELECT k, sum(v) FROM (SELECT id AS k, 1 AS v FROM range(500) UNION ALL"
                        + " SELECT 3 * id, 1 FROM range(100) UNION ALL SELECT 5 * id, 1 FROM"
                        + " range(200)) GROUP BY k")
                    .collectAsList()));
    table.compact();
    assertThat(table.toDataset().count()).isEqualTo(600);
  }

  /** Iceberg names partition fields and columns in one space of names. */
  @Test
  void columnsMayHaveTheNamesOfPartitionFields() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "bigint")
                .with(Variable.of("k_bucket", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("k_bucket_8", "bigint"))
                .with(Variable.of("n", "bigint"))
                .withBuckets(1)
                .withProperty("sparknd.rows-per-bucket", "2"));
    for (int i = 0; i < 2; i++) {
      table.scatter(sql("SELECT id AS k, 1L AS k_bucket, id AS k_bucket_8 FROM range(32)"));
      table.compact();
    }
    table.iceberg().refresh();
    assertThat(table.iceberg().spec().toString()).contains("k_bucket_8_: bucket[8](1)");
    assertThat(table.toDataset().where("k_bucket = 2 AND k_bucket_8 = k").count()).isEqualTo(32);
    assertThatThrownBy(() -> table.addVariable(Variable.of("k_bucket_8_", "bigint")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(
            "'k_bucket_8_' is the name of a partition field of table " + table.name());
    assertThatThrownBy(() -> table.renameVariable("n", "k_bucket_"))
        .hasMessageContaining("'k_bucket_' is the name of a partition field");
    FeatureTable numbered =
        create(FeatureTableSpec.numbered("k", 10).with(Variable.of("k_trunc", "bigint")));
    numbered.scatter(sql("SELECT 3L AS k, 4L AS k_trunc"));
    assertThat(texts(numbered.toDataset().collectAsList())).containsExactly("[3, 4]");
    TensorTable tensor =
        TestTables.create(
            TensorSpec.of(DType.INT64, Shape.of(4, 2))
                .withIndexColumns("i")
                .withFeatures("i_trunc", "n"));
    tensor
        .write()
        .scatterFeatures(
            Scatter.add(), sql("SELECT 3L AS i, 5L AS i_trunc"), FeatureColumns.of("i_trunc"))
        .commit();
    TensorTable opened = TensorTable.open(TestTables.spark(), tensor.name());
    assertThat(texts(opened.toDataset().collectAsList())).containsExactly("[3, ArraySeq(5, 0)]");
  }

  @Test
  void variablesHaveTypesThatIcebergHas() {
    FeatureTable table =
        create(FeatureTableSpec.keyedBy("k", "bigint").with(Variable.of("n", "bigint")));
    Variable took = Variable.of("took", "interval day to second");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> table.addVariable(took),
            () -> create(FeatureTableSpec.keyedBy("k", "bigint").with(took)))) {
      assertThatThrownBy(call)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("variable took is interval day to second")
          .hasMessageContaining("bigint for a duration");
    }
  }

  @Test
  void columnsOfFilesWithoutFieldIdsGoByName(@TempDir Path folder) throws Exception {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("city", "string"))
                .with(Variable.of("country", "string"))
                .withBuckets(1));
    Path files = folder.resolve("foreign");
    sql("SELECT 'Norway' AS country, 'u1' AS user, 'Oslo' AS city")
        .coalesce(1)
        .write()
        .parquet(files.toString());
    try (DirectoryStream<Path> found = Files.newDirectoryStream(files, "*.parquet")) {
      append(table.iceberg(), found.iterator().next().toString());
    }
    assertThat(table.gather(sql("SELECT 'u1' AS user"), List.of("user")).first().toString())
        .isEqualTo("[u1,Oslo,Norway]");
  }
}
