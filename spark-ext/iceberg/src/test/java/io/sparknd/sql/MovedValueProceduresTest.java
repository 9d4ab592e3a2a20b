/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.TestTables;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests procedures on tables of dates, intervals and binary values. */
class MovedValueProceduresTest {
  private final SparkSession spark = session();

  private static SparkSession session() {
    SparkSession spark = TestTables.spark();
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(spark);
    return spark;
  }

  private List<String> rows(String statement) {
    return spark.sql(statement).collectAsList().stream().map(Row::toString).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "DATE'2026-05-01', date",
    "TIMESTAMP_NTZ'2026-05-01 00:00:00', timestamp_ntz",
    "INTERVAL '1' DAY, interval day",
    "X'CAFE', binary"
  })
  void infoNamesTheType(String value, String type) {
    spark.sql("CREATE OR REPLACE TEMP VIEW moved AS SELECT 1 AS i, " + value + " AS v");
    assertThat(rows("CALL nd.system.info('moved', array(4))").get(0)).startsWith("[" + type + ",");
    assertThat(rows("CALL nd.system.check('moved', array(4))")).isEmpty();
  }

  @Test
  void checkTakesNullForATimeWithoutAValue() {
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW moved AS SELECT * FROM VALUES (1, array(DATE'2026-05-01',"
            + " NULL)), (2, NULL), (7, array(NULL, NULL)) AS t(i, v)");
    assertThat(rows("CALL nd.system.check('moved', array(4, 2))"))
        .hasSize(2)
        .anyMatch(row -> row.contains("2"))
        .anyMatch(row -> row.contains("7"));
    spark.sql("CREATE OR REPLACE TEMP VIEW moved AS SELECT 1 AS i, CAST(NULL AS binary) AS v");
    assertThat(rows("CALL nd.system.check('moved', array(4))")).hasSize(1);
  }
}
