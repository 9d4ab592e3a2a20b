/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which columns a feature table takes for those of its own, and what a value then says. */
class FeatureColumnsTest {
  private final SparkSession spark = TestTables.spark();

  private FeatureTable create(String keyType, Variable... variables) {
    FeatureTableSpec spec = FeatureTableSpec.keyedBy("k", keyType).withBuckets(1);
    for (Variable variable : variables) {
      spec = spec.with(variable);
    }
    return FeatureTable.create(spark, TestTables.name(), spec);
  }

  private Row gathered(FeatureTable table, String key, String... variables) {
    return table.gather(spark.sql("SELECT " + key + " AS k"), List.of("k"), variables).first();
  }

  /** Spark casts these without an error, to another time, text or whole seconds. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timestamp | 1772445600000L",
        "timestamp | timestamp_ntz'2026-01-01 00:00:00'",
        "timestamp_ntz | timestamp'2026-01-01 00:00:00'",
        "timestamp_ntz | 5L",
        "bigint | timestamp'2026-01-01 00:00:00.5'",
        "string | timestamp'2026-01-01 00:00:00'",
        "string | 5.0D",
        "string | CAST(1.5 AS decimal(5, 2))",
        "string | X'FF'",
        "array<timestamp> | array(5L)",
        "map<string, timestamp> | map('a', 5L)",
        "struct<a: timestamp> | named_struct('a', 5L)",
        "struct<a: bigint, b: bigint> | named_struct('b', 5L, 'a', 6L)",
        "array<struct<a: int, b: int>> | array(named_struct('a', 5, 'c', 6))",
        "struct<col2: int, col1: int> | struct(5, 6)",
        "float | 16777217",
        "float | 16777217L",
        "double | 9007199254740993L",
        "array<float> | array(16777217)",
        "map<string, double> | map('a', 9007199254740993L)",
      })
  void castsThatChangeWhatAValueSaysAreErrors(String type, String value) {
    FeatureTable table = create("string", Variable.of("v", type));
    Dataset<Row> rows = spark.sql("SELECT 'a' AS k, " + value + " AS v");
    assertThatThrownBy(() -> table.scatter(rows))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column v is ")
        .hasMessageContaining("cast it");
    assertThat(table.toDataset().count()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timestamp | date'2026-01-01'",
        "bigint | 5",
        "double | 5",
        "string | 5",
        "string | true",
        "array<bigint> | array(5)",
        "struct<a: bigint> | named_struct('a', 5)",
        "struct<a: bigint, B: int> | named_struct('A', 5, 'b', 6)",
        "struct<a: bigint, b: int> | struct(5, 6)",
        "timestamp | NULL",
      })
  void valuesOfNarrowerTypesAreTaken(String type, String value) {
    FeatureTable table = create("string", Variable.of("v", type));
    table.scatter(spark.sql("SELECT 'a' AS k, " + value + " AS v"));
    Row expected = spark.sql("SELECT CAST(" + value + " AS " + type + ")").first();
    assertThat(table.toDataset().select("v").first()).isEqualTo(expected);
  }

  /** pandas makes floating-point numbers of integers beside missing ones. */
  @Test
  void keysOfAnotherKindAreErrors() {
    FeatureTable table = create("string", Variable.of("v", "int"));
    table.scatter(spark.sql("SELECT '5' AS k, 1 AS v"));
    assertThat(gathered(table, "5", "v").getInt(1)).isEqualTo(1);
    for (String key : List.of("5.0D", "timestamp'2026-01-01 00:00:00'")) {
      assertThatThrownBy(() -> gathered(table, key, "v"))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("column k is ");
      assertThatThrownBy(
              () ->
                  spark
                      .sql(
                          "SELECT * FROM gather_nd(TABLE(%s), TABLE(SELECT %s AS k))"
                              .formatted(table.name(), key))
                      .collect())
          .hasMessageContaining("key column 'k' is ");
    }
  }

  @Test
  void aVariableIsUpdatedOnceByOneColumn() {
    FeatureTable table =
        create("string", Variable.of("v", "int").reducedBy(VariableReduction.add()));
    Dataset<Row> rows = spark.sql("SELECT 'a' AS k, 1 AS v");
    for (String again : List.of("v", "V")) {
      assertThatThrownBy(() -> table.write().scatter(rows, FeatureUpdates.of("v", again)).commit())
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("variable " + again)
          .hasMessageContaining("twice");
    }
    table.write().scatter(rows, FeatureUpdates.of("V")).commit();
    assertThat(gathered(table, "'a'", "v").getInt(1)).isEqualTo(1);
  }

  @Test
  void fillValuesOfHalvesAreThoseThatCellsStore() {
    FeatureTable table =
        create(
            "string",
            Variable.of("other", "int"),
            Variable.of("half", DType.FLOAT16, 2).withFill(0.1),
            Variable.of("brain", DType.BFLOAT16).withFill(0.1));
    Row before = gathered(table, "'a'", "half", "brain");
    assertThat(before.<Float>getList(1)).containsExactly(0.099975586f, 0.099975586f);
    assertThat(before.getFloat(2)).isEqualTo(0.100097656f);
    table.scatter(spark.sql("SELECT 'a' AS k, 1 AS other"));
    assertThat(gathered(table, "'a'", "half", "brain")).isEqualTo(before);
  }

  /** Texts without a zone are of the session that declares them. */
  @Test
  void fillValuesOfTimestampsAreInstants() {
    String fill = "2026-01-01 00:00:00";
    FeatureTable table;
    String zone = spark.conf().get("spark.sql.session.timeZone");
    spark.conf().set("spark.sql.session.timeZone", "Asia/Tokyo");
    try {
      table =
          create(
              "string",
              Variable.of("other", "int"),
              Variable.of("seen", "timestamp").withFill(fill),
              Variable.of("local", "timestamp_ntz").withFill(fill));
      table = table.addVariable(Variable.of("added", "timestamp").withFill(fill));
    } finally {
      spark.conf().set("spark.sql.session.timeZone", zone);
    }
    table.scatter(spark.sql("SELECT 'a' AS k, 1 AS other"));
    for (String key : List.of("'a'", "'b'")) {
      Dataset<Row> found =
          table.gather(
              spark.sql("SELECT " + key + " AS k"), List.of("k"), "seen", "added", "local");
      assertThat(
              found
                  .selectExpr("unix_seconds(seen)", "unix_seconds(added)", "string(local)")
                  .first())
          .isEqualTo(spark.sql("SELECT 1767193200L, 1767193200L, '" + fill + "'").first());
    }
  }

  /** Iceberg reads other texts than Spark's cast, from which fill values are. */
  @ParameterizedTest
  @CsvSource({
    "timestamp_ntz, 2026-01-01 00:00:00",
    "timestamp_ntz, 2026-1-1",
    "timestamp_ntz, 2026-01-01T08:09:10.5",
    "timestamp, 2026-01-01 00:00:00",
    "date, 2026-1-5",
    "boolean, 1",
    "boolean, no",
    "bigint, ' 7 '",
    "'decimal(5,2)', ' 1.5 '",
    "string, ' 1 '",
    "binary, abc",
  })
  void otherEnginesReadTheFillValueOfAnAddedVariable(String type, String fill) {
    FeatureTable table = create("string", Variable.of("v", "int"));
    table.scatter(spark.sql("SELECT 'a' AS k, 1 AS v"));
    table.addVariable(Variable.of("added", type).withFill(fill));
    String expected =
        spark.sql("SELECT string(CAST('%s' AS %s))".formatted(fill, type)).first().getString(0);
    for (int i = 0; i < 2; i++) {
      FeatureTable opened = FeatureTable.open(spark, table.name());
      assertThat(opened.toDataset().selectExpr("string(added)").first().getString(0))
          .isEqualTo(expected);
      assertThat(gathered(opened, "'a'", "added").get(1))
          .isEqualTo(opened.toDataset().select("added").first().get(0));
      opened.scatter(spark.sql("SELECT 'a' AS k, 2 AS v"));
    }
  }

  /** Iceberg records the times of main only. */
  @Test
  void aBranchHasNoTimes() {
    FeatureTable table = create("string", Variable.of("v", "int"));
    table.scatter(spark.sql("SELECT 'a' AS k, 1 AS v"));
    table.iceberg().manageSnapshots().createBranch("audit").commit();
    FeatureTable audit = table.branch("audit");
    audit.scatter(spark.sql("SELECT 'a' AS k, 9 AS v"));
    Instant now = Instant.now();
    assertThat(gathered(table.asOf(now), "'a'", "v").getInt(1)).isEqualTo(1);
    assertThatThrownBy(() -> audit.asOf(now))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("branch 'audit' of table " + table.name());
  }

  @Test
  void anErrorOfSlicesInBytesNamesTheArraysThatFit() {
    FeatureTable table = create("string", Variable.of("v", DType.FLOAT32, 2, 2).binary());
    Dataset<Row> rows = spark.sql("SELECT 'a' AS k, array(1, 2, 3, 4) AS v");
    assertThatThrownBy(() -> table.scatter(rows))
        .hasMessageContaining("column v is array<int>")
        .hasMessageContaining("stores binary and takes array<float>");
    table.scatter(spark.sql("SELECT 'a' AS k, array(1F, 2F, 3F, 4F) AS v"));
    assertThat(table.toDataset().count()).isOne();
  }

  /** Another engine drops a column, and not the properties of its variable. */
  @Test
  void aVariableHasOnlyThePropertiesOfItsOwn() {
    FeatureTable table =
        create(
            "string",
            Variable.of("other", "int"),
            Variable.of("v", "bigint").reducedBy(VariableReduction.add()).withFill(0));
    drop(table, "v");
    FeatureTable added = table.addVariable(Variable.of("v", "bigint"));
    added.scatter(spark.sql("SELECT 'a' AS k, 5L AS v"));
    added.scatter(spark.sql("SELECT 'a' AS k, 7L AS v"));
    assertThat(gathered(added, "'a'", "v").getLong(1)).isEqualTo(7);
    assertThat(gathered(added, "'b'", "v").isNullAt(1)).isTrue();
    FeatureTable more =
        added.addVariable(
            Variable.of("w", "bigint").reducedBy(VariableReduction.add()).withFill(0));
    drop(more, "w");
    FeatureTable renamed = more.renameVariable("v", "w");
    renamed.scatter(spark.sql("SELECT 'a' AS k, 8L AS w"));
    assertThat(gathered(renamed, "'a'", "w").getLong(1)).isEqualTo(8);
    assertThat(gathered(renamed, "'b'", "w").isNullAt(1)).isTrue();
  }

  private static void drop(FeatureTable table, String column) {
    Table iceberg = table.iceberg();
    iceberg.refresh();
    iceberg.updateSchema().deleteColumn(column).commit();
  }
}
