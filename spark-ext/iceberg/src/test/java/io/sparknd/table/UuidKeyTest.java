/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests keys of type uuid, which are strings in Spark. */
@Tag("slow")
class UuidKeyTest {
  private static final String ID = "f0e1d2c3-0001-4002-8003-00000000abcd";

  private static Dataset<Row> sql(String query) {
    return TestTables.spark().sql(query);
  }

  private static FeatureTable create() {
    return FeatureTable.create(
        TestTables.spark(),
        TestTables.name(),
        FeatureTableSpec.keyedBy("id", "UUID")
            .with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
            .withBuckets(2));
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).toList();
  }

  @Test
  void columnIsUuidInIcebergAndUpdatesAreStrings() {
    FeatureTable table = create();
    assertThat(table.iceberg().schema().findType("id")).isEqualTo(Types.UUIDType.get());
    String keys = "SELECT concat('00000000-0000-4000-8000-', lpad(hex(id), 12, '0')) AS id";
    table.scatter(sql(keys + ", id AS v FROM range(300)"));
    table.scatter(sql(keys + ", 1000L AS v FROM range(100, 400)"));
    assertThat(rows(sql("SELECT count(*), sum(v), min(id), max(id) FROM " + table.name())))
        .containsExactly(
            "[400,344850,00000000-0000-4000-8000-000000000000,"
                + "00000000-0000-4000-8000-00000000018f]");
    String one = "00000000-0000-4000-8000-00000000012b";
    assertThat(rows(sql("SELECT v FROM " + table.name() + " WHERE id = '" + one + "'")))
        .containsExactly("[1299]");
    assertThat(rows(table.gather(sql(keys + " FROM range(398, 402)"), List.of("id")).orderBy("id")))
        .extracting(row -> row.substring(row.indexOf(',')))
        .containsExactly(",1000]", ",1000]", ",null]", ",null]");
    table.compact();
    assertThat(rows(sql("SELECT sum(v) FROM " + table.name()))).containsExactly("[344850]");
  }

  @Test
  void casesOfOneUuidAreOneKey() {
    FeatureTable table = create();
    table.scatter(
        sql("SELECT * FROM VALUES ('" + ID + "', 1L), (upper('" + ID + "'), 2L) AS t(id, v)"));
    table.scatter(sql("SELECT initcap('" + ID + "') AS id, 4L AS v"));
    assertThat(rows(table.toDataset())).containsExactly("[" + ID + ",7]");
    assertThat(rows(table.gather(sql("SELECT upper('" + ID + "') AS k"), List.of("k")).select("v")))
        .containsExactly("[7]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "f0e1",
        "f0e1d2c300014002800300000000abcd",
        "{f0e1d2c3-0001-4002-8003-00000000abcd}",
        " f0e1d2c3-0001-4002-8003-00000000abcd",
        "f0e1d2c3-1-4002-8003-00000000abcd",
        "f0e1d2c3-0001-4002-8003-00000000abcg"
      })
  void malformedTextIsAnErrorThatNamesTheRow(String text) {
    FeatureTable table = create();
    Dataset<Row> rows =
        sql("SELECT '" + ID + "' AS id, 1L AS v UNION ALL SELECT '" + text + "', 2L").coalesce(1);
    assertThatThrownBy(() -> table.scatter(rows))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("key column id is '" + text + "' in row 1");
    assertThat(table.snapshot()).isEmpty();
    TableCommit commit =
        table.write().scatter(rows, FeatureUpdates.declared().ignoringBadKeys()).commit();
    assertThat(commit.dropped()).isEqualTo(1);
    assertThat(rows(table.toDataset())).containsExactly("[" + ID + ",1]");
  }

  @Test
  void uuidInAKeyOfSeveralColumns() {
    FeatureTable table =
        FeatureTable.create(
            TestTables.spark(),
            TestTables.name(),
            FeatureTableSpec.keyedBy("shop", "string")
                .andKey("id", "uuid")
                .andKey("n", "int")
                .bucketedBy("id")
                .with(Variable.of("v", "int")));
    String row = "SELECT 'a' AS shop, '" + ID + "' AS id, -1 AS n";
    table.scatter(sql(row + ", 5 AS v"));
    table.scatter(sql(row + ", 6 AS v"));
    assertThat(rows(table.gather(sql(row), table.keyColumns())))
        .containsExactly("[a," + ID + ",-1,6]");
    assertThat(table.toDataset().count()).isEqualTo(1);
  }

  @Test
  void sparkWritesRowsOfTheTable() {
    FeatureTable table = create();
    sql("INSERT INTO " + table.name() + " VALUES ('" + ID + "', 5)");
    table.scatter(sql("SELECT '" + ID + "' AS id, 1L AS v"));
    assertThat(rows(table.toDataset())).containsExactly("[" + ID + ",6]");
  }

  @Test
  void otherTypesOfKeysAreRefused() {
    FeatureTableSpec spec = FeatureTableSpec.keyedBy("id", "double").with(Variable.of("v", "int"));
    assertThatThrownBy(() -> FeatureTable.create(TestTables.spark(), TestTables.name(), spec))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("key column id is double");
  }
}
