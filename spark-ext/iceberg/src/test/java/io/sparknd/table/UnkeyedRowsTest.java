/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests gathers of many rows whose key is NULL. */
class UnkeyedRowsTest {
  private static final int SOURCES = 8;
  private static final int ROWS = 8_000;

  private final SparkSession spark = TestTables.spark();

  private FeatureTable table() {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "bigint")
                .with(Variable.of("n", "bigint").withFill(-1))
                .withBuckets(16));
    table.scatter(spark.range(1_000).selectExpr("id AS user", "id AS n"));
    return table;
  }

  /** Of nine rows in ten, the key is NULL. */
  private Dataset<Row> rows() {
    return spark
        .range(0, ROWS, 1, SOURCES)
        .selectExpr("if(id % 10 = 0, id % 1000, NULL) AS user", "id", "current_timestamp() AS at");
  }

  private static void requireSpread(Dataset<Row> found) {
    List<Integer> sizes =
        found.toJavaRDD().glom().map(List::size).collect().stream().sorted().toList();
    assertThat(sizes).hasSizeGreaterThanOrEqualTo(4);
    assertThat(sizes.get(sizes.size() - 1)).isLessThanOrEqualTo(ROWS / 4);
    assertThat(found.selectExpr("count(DISTINCT id)").head().getLong(0)).isEqualTo(ROWS);
    assertThat(found.where("n = if(id % 10 = 0, id % 1000, -1)").count()).isEqualTo(ROWS);
  }

  @Test
  void theyAreSpreadOverTheTasks() {
    requireSpread(table().gather(rows(), List.of("user"), "n"));
  }

  @Test
  void theyAreSpreadOverTheTasksOfAPointInTimeJoin() {
    requireSpread(table().gatherAsOf(rows(), List.of("user"), "at", "n"));
  }
}
