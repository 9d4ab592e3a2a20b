/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.docs.Page;
import io.sparknd.sql.internal.plan.TensorQueryExec;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.GatheredVariables;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Tests table functions on feature tables by name. */
class GatherByKeyTest {
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void makeViews() {
    SparkSession.setActiveSession(spark);
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW keyed_labels AS SELECT * FROM VALUES (1, 'u2'), (2, 'u9'),"
            + " (3, 'u1'), (4, 'u1') AS l(n, user)");
  }

  @AfterEach
  void dropViews() {
    spark.catalog().clearCache();
    spark.conf().unset("spark.sql.adaptive.enabled");
    spark.sql("DROP VIEW IF EXISTS keyed_labels");
    spark.sql("DROP VIEW IF EXISTS keyed_view");
  }

  private FeatureTable create(FeatureTableSpec spec) {
    return FeatureTable.create(spark, TestTables.name(), spec);
  }

  private FeatureTable users() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(7))
                .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
                .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
                .with(Variable.of("taste", DType.FLOAT32, 2).withFill(0.5))
                .withBuckets(4));
    table.scatter(
        spark.sql(
            "SELECT * FROM VALUES ('u1', 1L, 'Oslo', timestamp'2026-01-01', array(1F, 2F)), ('u2',"
                + " 2L, NULL, NULL, NULL) AS e(user, views, city, seen, taste)"));
    return table;
  }

  private FeatureTable numbered() {
    FeatureTable table =
        create(
            FeatureTableSpec.numbered("id", 100)
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()).withFill(-1)));
    table.scatter(spark.sql("SELECT id, 10 * id + 1 AS v FROM range(0, 100, 2)"));
    return table;
  }

  private List<String> rows(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  private static String gather(String table, String labels, String options) {
    return "gather_nd(TABLE(" + table + "), TABLE(" + labels + ")" + options + ")";
  }

  private static String views(String table) {
    return "SELECT n, views FROM " + gather(table, "keyed_labels", "") + " ORDER BY n";
  }

  @Test
  void labelsGetVariablesByTheNameOfTheKey() {
    String call = gather(users().name(), "keyed_labels", "");
    assertThat(rows("SELECT n, user, views, city, taste FROM " + call + " ORDER BY n"))
        .containsExactly(
            "{\"n\":1,\"user\":\"u2\",\"views\":9,\"taste\":[0.5,0.5]}",
            "{\"n\":2,\"user\":\"u9\",\"views\":7,\"taste\":[0.5,0.5]}",
            "{\"n\":3,\"user\":\"u1\",\"views\":8,\"city\":\"Oslo\",\"taste\":[1.0,2.0]}",
            "{\"n\":4,\"user\":\"u1\",\"views\":8,\"city\":\"Oslo\",\"taste\":[1.0,2.0]}");
    assertThat(spark.sql("SELECT * FROM " + call).columns())
        .containsExactly("n", "user", "views", "city", "seen", "taste");
  }

  @Test
  void sqlGathersWhatJavaGathers() {
    FeatureTable table = users();
    Dataset<Row> labels = spark.table("keyed_labels");
    List<String> java = table.gather(labels, List.of("user")).orderBy("n").toJSON().collectAsList();
    assertThat(rows("SELECT * FROM " + gather(table.name(), "keyed_labels", "") + " ORDER BY n"))
        .isEqualTo(java);
    assertThat(
            GatherNd.of(spark.table(table.name()), labels)
                .toDataset()
                .orderBy("n")
                .toJSON()
                .collectAsList())
        .isEqualTo(java);
    assertThat(
            GatherNd.of(table.toDataset(), labels)
                .withValueColumns("city", "views")
                .toDataset()
                .columns())
        .containsExactly("n", "user", "city", "views");
  }

  @Test
  void variablesAndKeyColumnsAreChosenByOptions() {
    String table = users().name();
    String renamed = "SELECT n, user AS customer, 'x' AS city FROM keyed_labels";
    assertThat(
            rows(
                "SELECT * FROM "
                    + gather(
                        table,
                        renamed,
                        ", index_columns => 'customer', value_columns => array('TASTE', 'views')")
                    + " WHERE n = 3"))
        .containsExactly(
            "{\"n\":3,\"customer\":\"u1\",\"city\":\"x\",\"taste\":[1.0,2.0],\"views\":8}");
    assertThat(rows("SELECT * FROM " + gather(table, "SELECT 'u1'", ", value_column => 'views'")))
        .containsExactly("{\"u1\":\"u1\",\"views\":8}");
  }

  @Test
  void keyOfSeveralColumnsGoesByNameInAnyOrder() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("shop", "int")
                .andKey("day", "date")
                .with(Variable.of("a.`b", "double")));
    table.scatter(spark.sql("SELECT 1 AS shop, date'2026-01-02' AS day, 0.5D AS `a.``b`"));
    String labels = "SELECT date'2026-01-02' AS day, 'l' AS label, 1Y AS shop";
    assertThat(rows("SELECT * FROM " + gather(table.name(), labels, "")))
        .containsExactly("{\"day\":\"2026-01-02\",\"label\":\"l\",\"shop\":1,\"a.`b\":0.5}");
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM "
                        + gather(table.name(), labels, ", index_columns => array('day', 'shop')")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("the key columns given are [day, shop], and the key of table")
        .hasMessageContaining("name them in the order of the key, or rename them");
    assertThatThrownBy(
            () -> rows("SELECT * FROM " + gather(table.name(), labels, ", index_columns => 'day'")))
        .hasMessageContaining("the key of table " + table.name() + " is [shop, day]");
  }

  /** With both columns of one type, nothing but the names tells that they are exchanged. */
  @Test
  void exchangedKeyColumnsAreErrors() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("customer", "string")
                .andKey("merchant", "string")
                .with(Variable.of("views", "bigint").withFill(0)));
    Dataset<Row> rows = spark.sql("SELECT 'c' AS customer, 'm' AS merchant, now() AS at, 3L AS v");
    List<String> exchanged = List.of("merchant", "customer");
    List<String> given = List.of("customer", "merchant");
    String expected = "the key columns given are [merchant, customer]";
    assertThatThrownBy(() -> table.gather(rows, exchanged)).hasMessageContaining(expected);
    assertThatThrownBy(() -> table.gatherAsOf(rows, exchanged, "at"))
        .hasMessageContaining(expected);
    assertThatThrownBy(() -> table.gather(rows, List.of("v", "Customer")))
        .hasMessageContaining("the key columns given are [v, Customer]");
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    String updates = "'SELECT \"c\" AS customer, \"m\" AS merchant, 3L AS views'";
    String scatter = "CALL nd.system.scatter_nd('" + table.name() + "', " + updates;
    assertThatThrownBy(
            () -> spark.sql(scatter + ", index_columns => array('merchant', 'customer'))"))
        .hasMessageContaining(expected);
    spark.sql(scatter + ", index_columns => array('CUSTOMER', 'merchant'))");
    assertThat(table.gather(rows, given).select("views").head().getLong(0)).isEqualTo(3);
    Dataset<Row> renamed = rows.toDF("buyer", "shop", "at", "v");
    assertThat(table.gather(renamed, List.of("buyer", "shop")).select("views").head().getLong(0))
        .isEqualTo(3);
  }

  /** A column that is taken for a key by mistake would give fill values without an error. */
  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT 'a label' AS label, 'u1' AS customer", "SELECT 1 AS n, 'u1' AS customer"})
  void positionIsNotGuessedBesideOtherColumns(String labels) {
    assertThatThrownBy(() -> rows("SELECT * FROM " + gather(users().name(), labels, "")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("unclear which columns are the key")
        .hasMessageContaining("index_columns");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void nullKeysAreErrorsUnlessIgnored(String isAdaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", isAdaptive);
    String table = users().name();
    String labels = "SELECT * FROM VALUES ('u1'), (NULL), ('u2') AS l(user)";
    assertThatThrownBy(() -> rows("SELECT views FROM " + gather(table, labels, "")))
        .hasMessageContaining("key column user is NULL");
    assertThat(
            rows(
                "SELECT user, views FROM "
                    + gather(table, labels, ", bad_indices => 'ignore'")
                    + " ORDER BY views"))
        .containsExactly(
            "{\"views\":7}", "{\"user\":\"u1\",\"views\":8}", "{\"user\":\"u2\",\"views\":9}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void numbersOutOfBoundsAreErrorsUnlessIgnored(String isAdaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", isAdaptive);
    String table = numbered().name();
    assertThat(rows("SELECT * FROM " + gather(table, "SELECT 4 AS id", "")))
        .containsExactly("{\"id\":4,\"v\":40}");
    assertThat(rows("SELECT * FROM " + gather(table, "SELECT 5 AS id", "")))
        .containsExactly("{\"id\":5,\"v\":-1}");
    for (int bad : List.of(100, -1)) {
      String labels = "SELECT " + bad + " AS id";
      assertThatThrownBy(() -> rows("SELECT * FROM " + gather(table, labels, "")))
          .hasMessageContaining("id = " + bad + " is out of bounds");
      assertThat(rows("SELECT v FROM " + gather(table, labels, ", bad_indices => 'ignore'")))
          .containsExactly("{\"v\":-1}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TABLE(keyed_labels), shape => array(9)               | shape is [9], but T is a feature table
          TABLE(keyed_labels), dtype => 'float32'              | dtype is float32, but T is a feature table
          TABLE(keyed_labels), fill => 3                       | fill is 3, but T is a feature table
          TABLE(keyed_labels), bad_indices => 'clip'           | bad_indices is 'clip', but rows of feature table T
          TABLE(keyed_labels), negative => 'wrap'              | negative is 'wrap', but rows of feature table T
          TABLE(keyed_labels), batch_dims => 2                 | batch_dims is 2
          TABLE(keyed_labels), value_column => 'likes'         | has no variable likes; its variables are [views, city, seen, taste]
          TABLE(keyed_labels), index_columns => 'nobody'       | column 'nobody' is not among
          TABLE(SELECT 'u1' AS user, 2 AS Views)               | already have a column 'views'
          TABLE(SELECT array(1) AS user)                       | key column 'user' is array<int>
          TABLE(keyed_labels), found => 'N'                    | already have a column 'N'
          TABLE(keyed_labels), found => 'City'                 | already have a column 'City'
          TABLE(keyed_labels), found => true                   | argument 'found' of gather_nd is true
          """)
  void contradictingArgumentsAreAnalysisErrors(String arguments, String message) {
    String table = users().name();
    assertThatThrownBy(
            () -> spark.sql("SELECT * FROM gather_nd(TABLE(" + table + "), " + arguments + ")"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining(
            message.replace(" T ", " " + table + " ").replaceAll(" T$", " " + table));
  }

  @Test
  void largerNumbersAreNotCutToTheKeysType() {
    FeatureTable table =
        create(FeatureTableSpec.keyedBy("id", "int").with(Variable.of("v", "double")));
    assertThatThrownBy(() -> rows("SELECT * FROM " + gather(table.name(), "SELECT 1L AS id", "")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("key column 'id' is bigint");
  }

  @Test
  void uuidsAreGatheredInAnyCase() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("id", "uuid")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add())));
    String id = "f0e1d2c3-0001-4002-8003-00000000abcd";
    table.scatter(spark.sql("SELECT '" + id + "' AS id, 1L AS v"));
    assertThat(
            rows("SELECT * FROM " + gather(table.name(), "SELECT upper('" + id + "') AS id", "")))
        .containsExactly("{\"id\":\"F0E1D2C3-0001-4002-8003-00000000ABCD\",\"v\":1}");
    String bad = "SELECT 'f0e1' AS id";
    assertThatThrownBy(() -> rows("SELECT * FROM " + gather(table.name(), bad, "")))
        .hasMessageContaining("key column id is 'f0e1' in row 0");
    assertThat(rows("SELECT * FROM " + gather(table.name(), bad, ", bad_indices => 'ignore'")))
        .containsExactly("{\"id\":\"f0e1\"}");
  }

  /** If the files of other buckets are deleted, requested keys can still be read. */
  @Test
  void onlyRequestedBlocksAreRead() throws IOException {
    FeatureTable table = users();
    table.scatter(spark.sql("SELECT concat('k', id) AS user, id AS views FROM range(100)"));
    String wanted =
        spark.sql("SELECT _file FROM " + table.name() + " WHERE user = 'k7'").first().getString(0);
    String bucket = Path.of(URI.create(wanted)).getParent().getFileName().toString();
    int deleted = 0;
    for (Path file : dataFiles(table)) {
      if (!file.getParent().getFileName().toString().equals(bucket)) {
        Files.delete(file);
        deleted++;
      }
    }
    assertThat(deleted).isPositive();
    assertThat(rows("SELECT views FROM " + gather(table.name(), "SELECT 'k7' AS user", "")))
        .containsExactly("{\"views\":14}");
  }

  private static List<Path> dataFiles(FeatureTable table) throws IOException {
    Path place = Path.of(URI.create(table.iceberg().location()));
    try (Stream<Path> files = Files.walk(place.resolve("data"))) {
      return files.filter(file -> file.toString().endsWith(".parquet")).toList();
    }
  }

  @Test
  void unusedVariablesAreNotRead() {
    String call = gather(users().name(), "keyed_labels", "");
    assertThat(plan("SELECT n, views FROM " + call + " WHERE city = 'Oslo'"))
        .contains("value_columns => [views, city], index_columns");
    assertThat(plan("SELECT n, views AS v FROM " + call))
        .contains("value_columns => [views], index_columns");
    assertThat(plan("SELECT * FROM " + call))
        .contains("value_columns => [views, city, seen, taste], index_columns");
    assertThat(rows("SELECT n, views FROM " + call + " WHERE city = 'Oslo' ORDER BY n"))
        .containsExactly("{\"n\":3,\"views\":8}", "{\"n\":4,\"views\":8}");
    assertThat(rows("SELECT count(*) AS c FROM " + call)).containsExactly("{\"c\":4}");
    assertThat(
            rows(
                "SELECT sum(a.views + b.views) AS s FROM "
                    + call
                    + " a JOIN "
                    + call
                    + " b ON a.n = b.n AND a.seen <=> b.seen"))
        .containsExactly("{\"s\":64}");
  }

  private String plan(String statement) {
    return spark.sql("EXPLAIN " + statement).first().getString(0);
  }

  @Test
  void snapshotsBranchesAndViewsAreRead() throws InterruptedException {
    FeatureTable table = users();
    long before = table.snapshot().orElseThrow();
    Thread.sleep(20);
    String then = java.time.Instant.now().toString();
    Thread.sleep(20);
    table.scatter(spark.sql("SELECT 'u2' AS user, 100L AS views"));
    table.iceberg().manageSnapshots().createBranch("audit", before).commit();
    table.branch("audit").scatter(spark.sql("SELECT 'u2' AS user, 1000L AS views"));
    spark.sql("REFRESH TABLE " + table.name());
    spark.sql("CREATE TEMP VIEW keyed_view AS SELECT * FROM " + table.name());
    assertThat(rows(views(table.name())).get(0)).isEqualTo("{\"n\":1,\"views\":109}");
    assertThat(rows(views("keyed_view")).get(0)).isEqualTo("{\"n\":1,\"views\":109}");
    assertThat(rows(views(table.name() + ".branch_audit")).get(0))
        .isEqualTo("{\"n\":1,\"views\":1009}");
    String version = "SELECT * FROM " + table.name() + " VERSION AS OF " + before;
    String time = "SELECT * FROM " + table.name() + " TIMESTAMP AS OF '" + then + "'";
    for (String past : List.of(version, time, table.name() + ".snapshot_id_" + before)) {
      assertThat(rows(views(past)).get(0)).as(past).isEqualTo("{\"n\":1,\"views\":9}");
    }
  }

  @Test
  void cachedRowsAreNotThoseOfTheNewestVersion() {
    FeatureTable table = users();
    Dataset<Row> cached = spark.sql(views(table.name())).cache();
    assertThat(cached.toJSON().collectAsList().get(0)).contains("\"views\":9");
    table.scatter(spark.sql("SELECT 'u2' AS user, 100L AS views"));
    assertThat(cached.toJSON().collectAsList().get(0)).contains("109");
    assertThat(rows(views(table.name())).get(0)).contains("109");
    cached.unpersist();
  }

  @Tag("slow")
  @Test
  void snapshotsAreReadWhileBucketsGrow() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2)
                .withProperty("sparknd.rows-per-bucket", "100"));
    table.scatter(spark.sql("SELECT concat('key ', id) AS k, id AS v FROM range(2000)"));
    long snapshot = table.snapshot().orElseThrow();
    String keys = "SELECT concat('key ', id) AS k FROM range(1000, 3000)";
    String sums = "SELECT count(v) AS n, sum(v) AS s FROM ";
    String named = "SELECT * FROM " + table.name() + " VERSION AS OF " + snapshot;
    Dataset<Row> kept = spark.sql(sums + gather(table.name(), keys, ""));
    Dataset<Row> before = spark.sql(sums + gather(named, keys, ""));
    table.compact();
    table.scatter(spark.sql("SELECT concat('key ', id) AS k, 1L AS v FROM range(3000)"));
    assertThat(before.toJSON().collectAsList()).containsExactly("{\"n\":1000,\"s\":1499500}");
    assertThat(kept.toJSON().collectAsList()).containsExactly("{\"n\":2000,\"s\":1501500}");
  }

  @Test
  void namesMayHaveDotsAndQuotes() {
    FeatureTable table =
        FeatureTable.create(
            spark,
            "lake.tests.`keyed.by \"it`",
            FeatureTableSpec.keyedBy("u.`s'er", "string")
                .with(Variable.of("c0", "bigint"))
                .with(Variable.of("block", "bigint")));
    table.scatter(spark.sql("SELECT 'x' AS `u.``s'er`, 1L AS c0, 2L AS block"));
    String labels = "SELECT 'x' AS `u.``s'er`, 0 AS key";
    assertThat(rows("SELECT * FROM " + gather(table.name(), labels, "")))
        .containsExactly("{\"u.`s'er\":\"x\",\"key\":0,\"c0\":1,\"block\":2}");
  }

  @Test
  void tableWithoutRowsAndFillsIsNull() {
    FeatureTable table =
        create(FeatureTableSpec.keyedBy("user", "string").with(Variable.of("v", "decimal(5,2)")));
    assertThat(rows("SELECT * FROM " + gather(table.name(), "SELECT 'u1' AS user", "")))
        .containsExactly("{\"user\":\"u1\"}");
  }

  @Test
  void readOptionsThatChooseRowsAreErrors() {
    FeatureTable table = users();
    long first = table.snapshot().orElseThrow();
    table.scatter(spark.sql("SELECT 'u2' AS user, 100L AS views"));
    Dataset<Row> some = spark.read().option("start-snapshot-id", first).table(table.name());
    assertThatThrownBy(() -> GatherNd.of(some, spark.table("keyed_labels")).toDataset())
        .hasMessageContaining("start-snapshot-id");
  }

  /** A filtered query has no keys. Its rows are a tensor's only if the call says so by a shape. */
  @Test
  void queryOfTheTableHasNoKeys() {
    String labels = "SELECT user FROM keyed_labels";
    String users = users().name();
    for (String query :
        List.of(
            "SELECT user, views FROM " + users,
            "SELECT * FROM " + users + " WHERE views > 0",
            "SELECT user, upper(city) AS city FROM " + users)) {
      assertThatThrownBy(() -> spark.sql("SELECT * FROM " + gather(query, labels, "")))
          .as(query)
          .isInstanceOf(AnalysisException.class)
          .hasMessageContaining("is a query of feature table " + users)
          .hasMessageContaining("pass TABLE(" + users + ")");
    }
    String numbers = "SELECT id, v FROM " + numbered().name() + " WHERE id < 50";
    assertThatThrownBy(() -> spark.sql("SELECT * FROM " + gather(numbers, "SELECT 1 AS id", "")))
        .hasMessageContaining("has no keys")
        .hasMessageContaining("shape");
    assertThat(rows("SELECT * FROM " + gather(numbers, "SELECT 1 AS id", ", shape => array(100)")))
        .containsExactly("{\"id\":1,\"v\":0}");
  }

  @Test
  void scatterIntoFeaturesIsRefused() {
    for (String table : List.of(users().name(), numbered().name())) {
      for (String function : List.of("update", "add", "max")) {
        assertThatThrownBy(
                () ->
                    spark.sql(
                        "SELECT * FROM tensor_scatter_nd_"
                            + function
                            + "(TABLE("
                            + table
                            + "), TABLE(SELECT 1 AS id, 2L AS v), shape => array(100))"))
            .isInstanceOf(AnalysisException.class)
            .hasMessageContaining(table + " is a feature table")
            .hasMessageContaining("FeatureTable.write()");
      }
    }
  }

  private static final String FOUND = ", found => 'is_known'";

  @Test
  void aColumnSaysWhichKeysAreInTheTable() {
    FeatureTable table = users();
    table.scatter(spark.sql("SELECT 'u3' AS user, 1L AS views"));
    table.evict("user = 'u1'");
    Dataset<Row> labels = spark.table("keyed_labels");
    Dataset<Row> gathered =
        spark.sql("SELECT * FROM " + gather(table.name(), "keyed_labels", FOUND));
    assertThat(gathered.columns())
        .containsExactly("n", "user", "views", "city", "seen", "taste", "is_known");
    assertThat(gathered.schema().apply("is_known"))
        .isEqualTo(new StructField("is_known", DataTypes.BooleanType, false, Metadata.empty()));
    assertThat(gathered.orderBy("n").select("user", "views", "is_known").toJSON().collectAsList())
        .containsExactly(
            "{\"user\":\"u2\",\"views\":9,\"is_known\":true}",
            "{\"user\":\"u9\",\"views\":7,\"is_known\":false}",
            "{\"user\":\"u1\",\"views\":7,\"is_known\":false}",
            "{\"user\":\"u1\",\"views\":7,\"is_known\":false}");
    List<Row> sql = gathered.orderBy("n").collectAsList();
    GatheredVariables all = GatheredVariables.all().withFoundColumn("is_known");
    Dataset<Row> java = table.gather(labels, List.of("user"), all);
    assertThat(java.columns()).isEqualTo(gathered.columns());
    assertThat(java.schema().apply("is_known").nullable()).isFalse();
    assertThat(java.orderBy("n").collectAsList()).isEqualTo(sql);
    GatherNd call = GatherNd.of(spark.table(table.name()), labels).withFoundColumn("is_known");
    assertThat(call.toDataset().orderBy("n").collectAsList()).isEqualTo(sql);
    assertThat(
            table
                .gather(
                    labels, List.of("user"), GatheredVariables.of("city").withFoundColumn("views"))
                .columns())
        .containsExactly("n", "user", "city", "views");
    for (String taken : List.of("USER", "taste")) {
      assertThatThrownBy(() -> table.gather(labels, List.of("user"), all.withFoundColumn(taken)))
          .hasMessageContaining("already have a column '" + taken + "'");
    }
  }

  @Test
  void badKeysAreNotFound() {
    String nulls = "SELECT * FROM VALUES ('u1'), (NULL) AS l(user)";
    String ignore = FOUND + ", bad_indices => 'ignore'";
    assertThat(
            rows(
                "SELECT user, is_known FROM "
                    + gather(users().name(), nulls, ignore)
                    + " ORDER BY user"))
        .containsExactly("{\"is_known\":false}", "{\"user\":\"u1\",\"is_known\":true}");
    String numbers = "SELECT explode(array(4, 5, 100)) AS id";
    assertThat(rows("SELECT * FROM " + gather(numbered().name(), numbers, ignore) + " ORDER BY id"))
        .containsExactly(
            "{\"id\":4,\"v\":40,\"is_known\":true}",
            "{\"id\":5,\"v\":-1,\"is_known\":false}",
            "{\"id\":100,\"v\":-1,\"is_known\":false}");
  }

  @Test
  void theColumnOfFoundKeysIsPrunedAndFiltered() {
    String call = gather(users().name(), "keyed_labels", FOUND);
    assertThat(plan("SELECT n, is_known FROM " + call))
        .contains("value_columns => [], index_columns => [user], found => is_known,");
    assertThat(plan("SELECT n, views FROM " + call))
        .contains("value_columns => [views], index_columns => [user], bad_indices");
    assertThat(plan("SELECT n, views FROM " + call + " WHERE n > 1"))
        .contains("value_columns => [views], index_columns => [user], bad_indices");
    assertThat(rows("SELECT n, is_known FROM " + call + " ORDER BY n"))
        .containsExactly(
            "{\"n\":1,\"is_known\":true}",
            "{\"n\":2,\"is_known\":false}",
            "{\"n\":3,\"is_known\":true}",
            "{\"n\":4,\"is_known\":true}");
    assertThat(rows("SELECT n, views FROM " + call + " WHERE NOT is_known"))
        .containsExactly("{\"n\":2,\"views\":7}");
    assertThat(rows("SELECT n FROM " + call + " WHERE is_known AND n < 4 ORDER BY n"))
        .containsExactly("{\"n\":1}", "{\"n\":3}");
    assertThat(rows("SELECT count_if(is_known) AS c FROM " + call)).containsExactly("{\"c\":3}");
  }

  @Test
  void missingKeysAreCountedInTheSqlTab() {
    String call = gather(users().name(), "keyed_labels", "");
    var rows = (org.apache.spark.sql.classic.Dataset<?>) spark.sql("SELECT * FROM " + call);
    rows.collectAsList();
    TensorQueryExec gather = operator(rows.queryExecution().executedPlan());
    assertThat(gather.metrics().apply("keysNotFound").value()).isEqualTo(1);
    List<String> shown = new ArrayList<>();
    CollectionConverters.asJava(gather.metrics())
        .forEach((name, metric) -> shown.add(name + ": " + metric.name().get()));
    assertThat(Page.of("docs/reference/metrics.md").section("SQL tab").tables("metric").get(2))
        .extracting(row -> row.name() + ": " + row.cells().get(1))
        .containsExactlyInAnyOrderElementsOf(shown);
  }

  private static TensorQueryExec operator(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return operator(adaptive.executedPlan());
    }
    return plan instanceof TensorQueryExec exec
        ? exec
        : operator(ScalaSeqs.list(plan.children()).get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gather_nd", "gather_nd_as_of"})
  void keysOfATensorAreNotMissing(String function) {
    String table =
        TestTables.create(TensorSpec.of(DType.INT64, Shape.of(9)).withIndexColumns("i")).name();
    String at = function.equals("gather_nd") ? "" : ", at => 'at'";
    String labels = "TABLE(SELECT 0L AS i, now() AS at)";
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM "
                        + function
                        + "(TABLE("
                        + table
                        + "), "
                        + labels
                        + at
                        + FOUND
                        + ")"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("each index of a tensor has a value");
  }

  @Test
  void variablesOfATensorAreRefused() {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM gather_nd(TABLE(SELECT 0 AS i, 1 AS v), TABLE(SELECT 0 AS i),"
                        + " array(1), value_columns => array('v'))"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("only a feature table has variables");
  }
}
