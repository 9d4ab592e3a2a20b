/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that tables of others become feature tables, or are refused and do not change. */
class FeatureAdoptionTest {
  private final SparkSession spark = TestTables.spark();
  private final String name = TestTables.name();

  private Dataset<Row> sql(String query) {
    return spark.sql(query);
  }

  private static FeatureTableSpec byUser() {
    return FeatureTableSpec.keyedBy("user", "string")
        .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()).withFill(0));
  }

  private void create(String clauses) {
    sql("CREATE TABLE " + name + " (user string, n bigint, note string) USING iceberg " + clauses);
  }

  private Table iceberg() throws Exception {
    Table table = Spark3Util.loadIcebergTable(spark, name);
    table.refresh();
    return table;
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private void insert(String rows) {
    sql("INSERT INTO " + name + " " + rows);
  }

  /** Partitions of the snapshots before are of the type before. */
  @Test
  void aNumberedKeyMayHaveBeenPromoted() throws Exception {
    sql(
        "CREATE TABLE "
            + name
            + " (id int NOT NULL, n bigint) USING iceberg PARTITIONED BY (truncate(10, id))");
    insert("SELECT int(id), 1L FROM range(20)");
    long before = iceberg().currentSnapshot().snapshotId();
    sql("ALTER TABLE " + name + " ALTER COLUMN id TYPE bigint");
    FeatureTable table =
        FeatureTable.adopt(
            spark, name, FeatureTableSpec.numbered("id", 100).with(Variable.of("n", "bigint")));
    table.scatter(sql("SELECT 13L AS id, 9L AS n"));
    Dataset<Row> keys = sql("SELECT 13L AS id UNION ALL SELECT 19");
    assertThat(rows(table.gather(keys, List.of("id"), "n"))).containsExactly("[13,9]", "[19,1]");
    assertThat(rows(table.snapshot(before).gather(keys, List.of("id"), "n")))
        .containsExactly("[13,1]", "[19,1]");
  }

  /** In SQL's text, the type of a time depends on the session. */
  @Test
  void aColumnThatOrdersUpdatesHasTheTypeOfTheTable() {
    create("");
    sql("ALTER TABLE " + name + " ADD COLUMN seen TIMESTAMP");
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("note", "string").reducedBy(VariableReduction.last("seen")));
    spark.conf().set("spark.sql.timestampType", "TIMESTAMP_NTZ");
    try {
      assertThat(FeatureTable.adopt(spark, name, spec).variables()).contains("seen");
    } finally {
      spark.conf().unset("spark.sql.timestampType");
    }
  }

  @Test
  void collationsAreRefused() throws Exception {
    create("");
    insert("VALUES ('u1', 1L, 'x')");
    String collated = "string collate UTF8_LCASE";
    for (FeatureTableSpec spec :
        List.of(
            FeatureTableSpec.keyedBy("user", collated).with(Variable.of("n", "bigint")),
            byUser().with(Variable.of("note", collated)))) {
      assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(" is " + collated + "; an Iceberg table has no collations");
    }
    assertThat(iceberg().properties()).doesNotContainKey("sparknd.key");
  }

  @Test
  void propertiesOfMisspeltVariablesAreRefused() throws Exception {
    create("");
    FeatureTableSpec spec = byUser().withProperty("sparknd.variable.nn.fill", "0");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has no variable nn; its variables are [user, n, note]");
    assertThat(iceberg().properties()).doesNotContainKey("sparknd.key");
  }

  private static final String ALL =
      "SELECT concat('u', id), id, if(id %% 2 = 0, NULL, 'x') FROM range(%d, %d)";

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "TBLPROPERTIES ('format-version' = '3', 'write.delete.mode' = 'merge-on-read')",
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')",
        "PARTITIONED BY (bucket(4, user)) TBLPROPERTIES ('format-version' = '3')",
        "PARTITIONED BY (bucket(1, user)) TBLPROPERTIES ('format-version' = '3')"
      })
  void adoptedTableIsWrittenReadCompactedAndEvicted(String clauses) throws Exception {
    create(clauses);
    insert(ALL.formatted(0, 60));
    insert(ALL.formatted(60, 100));
    sql("DELETE FROM " + name + " WHERE n % 10 = 3");
    List<String> before = rows(sql("SELECT * FROM " + name));
    long snapshot = iceberg().currentSnapshot().snapshotId();
    FeatureTable table = FeatureTable.adopt(spark, name, byUser());
    assertThat(iceberg().currentSnapshot().snapshotId()).isEqualTo(snapshot);
    assertThat(table.keyColumns()).containsExactly("user");
    assertThat(table.variables()).containsExactly("n", "note");
    assertThat(rows(table.toDataset())).isEqualTo(before);

    table.scatter(sql("SELECT concat('u', 2 * id) AS user, 1000L AS n FROM range(80)"));
    String expected =
        "SELECT user, sum(n), max(note) FROM (SELECT concat('u', id) AS user, id AS n, if(id % 2 ="
            + " 0, NULL, 'x') AS note FROM range(100) WHERE id % 10 <> 3 UNION ALL SELECT"
            + " concat('u', 2 * id), 1000, NULL FROM range(80)) GROUP BY user";
    assertThat(rows(sql("SELECT * FROM " + name))).isEqualTo(rows(sql(expected)));
    assertThat(table.gather(sql("SELECT 'u12' AS u"), List.of("u"), "n").first().getLong(1))
        .isEqualTo(1012);
    table.evict("n < 10");
    table.compact();
    assertThat(rows(sql("SELECT * FROM " + name)))
        .isEqualTo(rows(sql(expected).where("`sum(n)` >= 10")));
    assertThat(FeatureTable.open(spark, name).evict("true").rows()).isPositive();
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, byUser()))
        .hasMessageContaining("has the property sparknd.key");
  }

  /** The default of a column that others added is that of rows which are missing, too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void defaultsOfOtherEnginesAreFillValues(boolean isAdopted) throws Exception {
    if (isAdopted) {
      create("TBLPROPERTIES ('format-version' = '3')");
    } else {
      FeatureTable.create(spark, name, byUser().with(Variable.of("note", "string")).withBuckets(2));
    }
    insert("SELECT 'u1', 1, 'x'");
    addDefaults(iceberg());
    sql("REFRESH TABLE " + name);
    FeatureTable table =
        isAdopted ? FeatureTable.adopt(spark, name, byUser()) : FeatureTable.open(spark, name);
    String[] shown = {
      "hex(b)", "hex(f)", "u", "d", "unix_micros(t)", "CAST(tn AS string)", "CAST(day AS string)"
    };
    String expected =
        "[00FF41,0180,00000000-0000-0001-0000-000000000002,12.3400,-1000000,"
            + "2026-01-02 03:04:05.000006,0001-01-02]";
    Dataset<Row> users = sql("SELECT explode(array('u1', 'u2', 'u3')) AS user");
    for (int i = 0; i < 2; i++) {
      assertThat(rows(table.gather(users, List.of("user")).selectExpr(shown)))
          .containsExactly(expected, expected, expected);
      table.scatter(sql("SELECT explode(array('u1', 'u2')) AS user, 1L AS n"));
      assertThat(rows(sql("SELECT * FROM " + name).selectExpr(shown)))
          .containsExactly(expected, expected);
    }
  }

  private static void addDefaults(Table table) {
    Types.TimestampType instant = Types.TimestampType.withZone();
    Types.TimestampType local = Types.TimestampType.withoutZone();
    Types.FixedType fixed = Types.FixedType.ofLength(2);
    table
        .updateSchema()
        .addColumn("b", Types.BinaryType.get(), bytes(0, 255, 65))
        .addColumn("f", fixed, bytes(1, 128).to(fixed))
        .addColumn("u", Types.UUIDType.get(), Literal.of(new UUID(1, 2)))
        .addColumn("d", Types.DecimalType.of(20, 4), Literal.of(new BigDecimal("12.3400")))
        .addColumn("t", instant, Literal.of("1969-12-31T23:59:59+00:00").to(instant))
        .addColumn("tn", local, Literal.of("2026-01-02T03:04:05.000006").to(local))
        .addColumn("day", Types.DateType.get(), Literal.of("0001-01-02").to(Types.DateType.get()))
        .commit();
  }

  private static Literal<ByteBuffer> bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Literal.of(ByteBuffer.wrap(bytes));
  }

  /** Files of dropped partition fields are one block until they are rewritten. */
  @Tag("slow")
  @Test
  void filesOfEarlierPartitionsAreRead() throws Exception {
    create("PARTITIONED BY (note) TBLPROPERTIES ('format-version' = '3')");
    insert(ALL.formatted(0, 50));
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, byUser()))
        .hasMessageContaining(
            "is partitioned by identity(note), and needs bucket(N, a column of"
                + " the key) alone");
    iceberg().updateSpec().removeField("note").commit();
    sql("REFRESH TABLE " + name);
    FeatureTable table = FeatureTable.adopt(spark, name, byUser().withBuckets(4));
    assertThat(iceberg().spec().toString()).contains("bucket[4]");
    table.scatter(sql("SELECT concat('u', id) AS user, 1L AS n FROM range(100)"));
    String expected =
        "SELECT concat('u', id), if(id < 50, id + 1, 1), if(id % 2 = 0 OR id >= 50, NULL, 'x') FROM"
            + " range(100)";
    assertThat(rows(sql("SELECT * FROM " + name))).isEqualTo(rows(sql(expected)));
    sql(
        "CALL lake.system.rewrite_data_files(table => '"
            + name
            + "', options => map('rewrite-all', 'true'))");
    assertThat(rows(table.toDataset())).isEqualTo(rows(sql(expected)));
    table.scatter(sql("SELECT concat('u', id) AS user, -1L AS n FROM range(100)"));
    assertThat(table.toDataset().where("n < 0 OR n >= 50").count()).isZero();
    assertThat(table.toDataset().count()).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          VALUES ('a', 1, 'x'), ('b', 1, 'x'), ('a', 2, 'x') | key in more than one row, 1 times, as in {"user":"a"}
          VALUES ('a', 1, 'x'), (NULL, 1, 'x')               | null key, 1 times, as in {}
          """)
  void rowsThatAreNoFeaturesAreNamed(String values, String message) throws Exception {
    create("");
    insert(values);
    Map<String, String> before = iceberg().properties();
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, byUser()))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message);
    assertThat(iceberg().properties()).isEqualTo(before);
    assertThat(iceberg().spec().isUnpartitioned()).isTrue();
    assertThat(iceberg().schema().columns()).hasSize(3);
    sql("DELETE FROM " + name + " WHERE user IS NULL OR user = 'a' AND n = 2");
    assertThat(FeatureTable.adopt(spark, name, byUser()).toDataset().count()).isPositive();
  }

  @Test
  void columnsAndTypesMustBeTheTables() {
    create("");
    assertThatThrownBy(
            () -> FeatureTable.adopt(spark, name, FeatureTableSpec.keyedBy("User", "string")))
        .hasMessageContaining("has no column User");
    assertThatThrownBy(
            () -> FeatureTable.adopt(spark, name, FeatureTableSpec.keyedBy("user", "bigint")))
        .hasMessageContaining("column user of table " + name + " is STRING, not BIGINT");
    assertThatThrownBy(
            () -> FeatureTable.adopt(spark, name, byUser().with(Variable.of("other", "int"))))
        .hasMessageContaining("has no column other");
    assertThatThrownBy(
            () ->
                FeatureTable.adopt(
                    spark,
                    name,
                    FeatureTableSpec.keyedBy("user", "string")
                        .with(Variable.of("note", "string").reducedBy(VariableReduction.mul()))))
        .hasMessageContaining("reduction 'mul' of variable note");
    assertThatThrownBy(
            () ->
                FeatureTable.adopt(
                    spark,
                    name,
                    byUser()
                        .with(
                            Variable.of("note", "string").reducedBy(VariableReduction.last("t")))))
        .hasMessageContaining("has no column t");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, byUser().bucketedBy("n")))
        .hasMessageContaining("sparknd.bucket-column = 'n' is not a column of the key");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, "lake.tests.nothing_there", byUser()))
        .hasMessageContaining("does not exist");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PARTITIONED BY (bucket(4, n))          | partitioned by bucket[4](n), and needs bucket(8, a column of the key)
          PARTITIONED BY (bucket(4, user), note) | partitioned by bucket[4](user), identity(note)
          PARTITIONED BY (bucket(4, user))       | partitioned by bucket[4](user), and needs bucket(8,
          TBLPROPERTIES ('format-version'='1')   | has format version 1
          TBLPROPERTIES ('write.format.default'='orc') | write.format.default = 'orc'
          TBLPROPERTIES ('schema.name-mapping.default'='[]') | schema.name-mapping.default = '[]'
          TBLPROPERTIES ('sparknd.dtype'='int8') | has the property sparknd.dtype
          """)
  void tablesThatCannotBeAdoptedSayWhy(String clauses, String message) throws Exception {
    create(clauses);
    Map<String, String> before = iceberg().properties();
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, byUser().withBuckets(8)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message);
    assertThat(iceberg().properties()).isEqualTo(before);
  }

  @Test
  void filesThatAreNotParquetAreNamed() throws Exception {
    create("TBLPROPERTIES ('write.format.default' = 'orc')");
    insert(ALL.formatted(0, 3));
    iceberg().updateProperties().set("write.format.default", "parquet").commit();
    sql("REFRESH TABLE " + name);
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, byUser()))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(".orc of table");
  }

  @Test
  void equalityDeletesAreNamed() throws Exception {
    create("TBLPROPERTIES ('format-version' = '2')");
    insert(ALL.formatted(0, 3));
    Table table = iceberg();
    table
        .newRowDelta()
        .addDeletes(
            FileMetadata.deleteFileBuilder(table.spec())
                .ofEqualityDeletes(1)
                .withPath(table.location() + "/data/by-value.parquet")
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build())
        .commit();
    sql("REFRESH TABLE " + name);
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, byUser()))
        .hasMessageContaining("by-value.parquet of table " + name + " holds equality deletes");
    assertThat(iceberg().properties()).doesNotContainKey("sparknd.key");
  }

  @Tag("slow")
  @Test
  void stateOfReductionsIsAddedOrRequired() throws Exception {
    sql(
        "CREATE TABLE "
            + name
            + " (`k.1` bigint NOT NULL, seen timestamp, city string, r double)"
            + " USING iceberg TBLPROPERTIES ('format-version' = '3')");
    insert("VALUES (1, timestamp'2026-01-02', NULL, NULL)");
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("k.1", "bigint")
            .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
            .with(Variable.of("r", "double").reducedBy(VariableReduction.mean()));
    insert("VALUES (2, timestamp'2026-01-02', 'Rome', NULL)");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
        .hasMessageContaining("value of city without city__seen, 1 times, as in {\"k.1\":2}");
    assertThat(iceberg().schema().columns()).hasSize(4);
    sql("ALTER TABLE " + name + " ADD COLUMN city__seen timestamp");
    sql("UPDATE " + name + " SET city__seen = seen WHERE city IS NOT NULL");
    FeatureTable table = FeatureTable.adopt(spark, name, spec);
    assertThat(table.variables()).containsExactly("seen", "city", "r");
    table.scatter(
        sql(
            "SELECT * FROM VALUES (2L, 'late', timestamp'2025-01-01', 1D), (1L, 'Oslo',"
                + " timestamp'2025-01-01', 4D), (2L, 'late', timestamp'2025-01-01', 2D) AS"
                + " t(`k.1`, city, seen, r)"));
    assertThat(rows(table.toDataset().select("`k.1`", "city", "r")))
        .containsExactly("[1,Oslo,4.0]", "[2,Rome,1.5]");
  }

  /** Version 1 keeps a partition field that was dropped, without values. */
  @Test
  void partitionsThatWereDroppedInVersionOneAreNone() throws Exception {
    create("PARTITIONED BY (note) TBLPROPERTIES ('format-version' = '1')");
    insert("SELECT 'u1', 1, 'x'");
    iceberg().updateSpec().removeField("note").commit();
    sql("REFRESH TABLE " + name);
    insert("SELECT 'u2', 2, 'y'");
    sql("ALTER TABLE " + name + " SET TBLPROPERTIES ('format-version' = '3')");
    FeatureTable table = FeatureTable.adopt(spark, name, byUser());
    table.scatter(sql("SELECT explode(array('u1', 'u2', 'u3')) AS user, 10L AS n"));
    table.compact();
    assertThat(rows(sql("SELECT * FROM " + name)))
        .containsExactly("[u1,11,x]", "[u2,12,y]", "[u3,10,null]");
  }

  @Test
  void bucketsBesideWhatVersionOneKeepsAreTheOnlyPartitions() throws Exception {
    create("PARTITIONED BY (note) TBLPROPERTIES ('format-version' = '1')");
    insert("SELECT 'u1', 1, 'x'");
    iceberg()
        .updateSpec()
        .removeField("note")
        .addField("buckets", Expressions.bucket("user", 4))
        .commit();
    sql("REFRESH TABLE " + name);
    insert("SELECT 'u2', 2, 'y'");
    sql("ALTER TABLE " + name + " SET TBLPROPERTIES ('format-version' = '3')");
    FeatureTable table = FeatureTable.adopt(spark, name, byUser());
    table.scatter(sql("SELECT explode(array('u1', 'u2', 'u3')) AS user, 10L AS n"));
    table.compact();
    assertThat(rows(sql("SELECT * FROM " + name)))
        .containsExactly("[u1,11,x]", "[u2,12,y]", "[u3,10,null]");
  }

  /** A state that others left would order updates of another variable. */
  @Test
  void aStateThatIsOlderThanItsVariableIsRefused() throws Exception {
    create("TBLPROPERTIES ('format-version' = '3')");
    sql("ALTER TABLE " + name + " ADD COLUMNS (seen timestamp, note__seen timestamp)");
    sql("ALTER TABLE " + name + " DROP COLUMN note");
    sql("ALTER TABLE " + name + " ADD COLUMN note string");
    Map<String, String> before = iceberg().properties();
    FeatureTableSpec spec =
        byUser()
            .with(Variable.of("note", "string").reducedBy(VariableReduction.last("seen")))
            .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()));
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("note__seen");
    assertThat(iceberg().properties()).isEqualTo(before);
  }

  @Tag("slow")
  @Test
  void slicesMustHaveTheirLength() {
    sql("CREATE TABLE " + name + " (k int NOT NULL, v array<float>, b binary) USING iceberg");
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("k", "int")
            .with(Variable.of("v", DType.FLOAT32, 2).reducedBy(VariableReduction.add()))
            .with(Variable.of("b", DType.INT16, 2).binary());
    insert("VALUES (1, array(1F, 2F), X'01000200'), (2, NULL, NULL), (3, array(1F), X'01')");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
        .hasMessageContaining("length of v, 1 times, as in {\"k\":3}");
    sql("UPDATE " + name + " SET v = array(1F, NULL) WHERE k = 3");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
        .hasMessageContaining("length of v");
    sql("UPDATE " + name + " SET v = NULL WHERE k = 3");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
        .hasMessageContaining("length of b");
    sql("UPDATE " + name + " SET b = NULL WHERE k = 3");
    FeatureTable table = FeatureTable.adopt(spark, name, spec);
    table.scatter(sql("SELECT 1 AS k, array(10F, 10F) AS v"));
    assertThat(rows(table.toDataset().selectExpr("k", "v", "hex(b)")))
        .contains("[1,ArraySeq(11.0, 12.0),01000200]");
  }

  @Tag("slow")
  @Test
  void numberedAxisNeedsItsRangesAndBounds() throws Exception {
    sql(
        "CREATE TABLE "
            + name
            + " (id bigint, v int) USING iceberg PARTITIONED BY"
            + " (truncate(10, id)) TBLPROPERTIES ('format-version' = '3')");
    insert("SELECT id, int(id) FROM range(25)");
    FeatureTableSpec spec =
        FeatureTableSpec.numbered("id", 20)
            .with(Variable.of("v", "int").reducedBy(VariableReduction.add()));
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, spec))
        .hasMessageContaining("key out of bounds, 5 times, as in {\"id\":2");
    sql("DELETE FROM " + name + " WHERE id >= 20");
    FeatureTable table = FeatureTable.adopt(spark, name, spec);
    table.scatter(sql("SELECT id, 100 AS v FROM range(5, 20)"));
    assertThat(rows(table.toDataset()))
        .isEqualTo(rows(sql("SELECT id, int(if(id < 5, id, id + 100)) FROM range(20)")));
    assertThat(iceberg().properties()).containsEntry("sparknd.rows-per-block", "10");
    String other = TestTables.name();
    sql("CREATE TABLE " + other + " (id bigint, v int) USING iceberg");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, other, spec))
        .hasMessageContaining("is partitioned by nothing, and needs truncate(W, id) alone");
  }

  /** What is left of an adoption that someone undid would apply to the next one. */
  @ParameterizedTest
  @CsvSource({
    "sparknd.variable.note.reduction, max",
    "sparknd.variable.gone.fill, 1",
    "sparknd.size, 100",
    "sparknd.rows-per-block, 10"
  })
  void propertiesOfAnEarlierAdoptionMustBeDeclaredOrRemoved(String property, String value)
      throws Exception {
    create("TBLPROPERTIES ('" + property + "' = '" + value + "')");
    insert("SELECT 'u', 1, 'x'");
    assertThatThrownBy(() -> FeatureTable.adopt(spark, name, byUser()))
        .hasMessageContaining(property + " = '" + value + "'")
        .hasMessageContaining("UNSET TBLPROPERTIES");
    assertThat(iceberg().properties()).doesNotContainKey("sparknd.key");
    sql("ALTER TABLE " + name + " UNSET TBLPROPERTIES ('" + property + "')");
    assertThat(FeatureTable.adopt(spark, name, byUser()).variables()).containsExactly("n", "note");
  }

  @Test
  void declaredPropertiesReplaceThoseOfAnEarlierAdoption() throws Exception {
    create("TBLPROPERTIES ('sparknd.variable.n.reduction' = 'max')");
    insert("SELECT 'u', 1, 'x'");
    FeatureTable table = FeatureTable.adopt(spark, name, byUser());
    table.scatter(sql("SELECT 'u' AS user, 2L AS n"));
    assertThat(table.toDataset().first().<Long>getAs("n")).isEqualTo(3);
  }

  @Tag("slow")
  @Test
  void uuidKeysAndOddNames() throws Exception {
    String odd = "lake.`odd.ns \"2\"`.`it's ``a`` t.able`";
    sql("CREATE NAMESPACE IF NOT EXISTS lake.`odd.ns \"2\"`");
    Spark3Util.loadIcebergCatalog(spark, "lake")
        .createTable(
            TableIdentifier.of(Namespace.of("odd.ns \"2\""), "it's `a` t.able"),
            new org.apache.iceberg.Schema(
                Types.NestedField.required(1, "id.`of` 'me'", Types.UUIDType.get()),
                Types.NestedField.optional(2, "n.x", Types.LongType.get()),
                Types.NestedField.optional(3, "other", Types.UUIDType.get()),
                Types.NestedField.optional(4, "id.`of` 'me'_bucket_2", Types.LongType.get())));
    FeatureTable table =
        FeatureTable.adopt(
            spark,
            odd,
            FeatureTableSpec.keyedBy("id.`of` 'me'", "string")
                .with(Variable.of("n.x", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2));
    UUID id = new UUID(7, -7);
    String row = "SELECT '" + id + "' AS `id.``of`` 'me'`, 5L AS `n.x`, '" + id + "' AS other";
    table.scatter(sql(row));
    table.scatter(sql(row));
    assertThat(rows(sql("SELECT * FROM " + odd)))
        .containsExactly("[" + id + ",10," + id + ",null]");
    assertThat(table.evict("`n.x` = 10 AND `id.``of`` 'me'` = '" + id + "'").rows()).isEqualTo(1);
  }
}
