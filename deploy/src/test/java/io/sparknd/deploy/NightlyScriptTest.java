/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.LocalCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The statements of the Kubernetes job run, a second run changes nothing, and no day is lost whose
 * orders come late.
 */
@Tag("slow")
class NightlyScriptTest {
  @Test
  void aSecondRunOfTheNightCountsOnce(@TempDir Path directory) throws Exception {
    List<String> statements = statements();
    assertThat(statements).hasSize(8);
    try (SparkSession spark = session(directory)) {
      makeTables(spark);
      spark.sql(
          "INSERT INTO lake.shop.orders "
              + orders(1)
              + " UNION ALL "
              + orders(3)
              + " UNION ALL SELECT 1, 100D, current_date()");
      // the orders of one day come late
      assertThatThrownBy(() -> statements.forEach(each -> spark.sql(each).collectAsList()))
          .hasMessageContaining(
              "lake.shop.orders has no rows of " + LocalDate.now(ZoneOffset.UTC).minusDays(2));
      assertThat(spent(spark)).containsExactly("[0,0.75]", "[1,0.75]", "[2,0.75]");
      spark.sql("INSERT INTO lake.shop.orders " + orders(2));
      for (int run = 0; run < 2; run++) {
        statements.forEach(statement -> spark.sql(statement).collectAsList());
        assertThat(spent(spark)).containsExactly("[0,2.25]", "[1,2.25]", "[2,2.25]");
      }
    }
  }

  private static List<String> statements() throws IOException {
    String script = KubernetesManifest.ours().only(ConfigMap.class).getData().get("night.sql");
    return Stream.of(script.split(";\\s*\n")).filter(statement -> !statement.isBlank()).toList();
  }

  private static void makeTables(SparkSession spark) {
    spark.sql("CREATE NAMESPACE lake.shop");
    spark.sql(
        "CALL nd.system.create_tensor('lake.shop.spent', 'float64', array(100),"
            + " index_columns => 'user')");
    spark.sql("CREATE TABLE lake.shop.orders (user bigint, amount double, day date) USING iceberg");
  }

  /** Returns the query of a day's orders. */
  private static String orders(int daysAgo) {
    return "SELECT id % 3, 0.25D, current_date() - " + daysAgo + " FROM range(9)";
  }

  private static List<String> spent(SparkSession spark) {
    return spark
        .sql("SELECT user, value FROM lake.shop.spent ORDER BY user")
        .collectAsList()
        .stream()
        .map(Row::toString)
        .toList();
  }

  private static SparkSession session(Path directory) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.catalog.nd", NdCatalog.class.getName());
    LocalCatalog.settings("lake", directory.resolve("lake")).forEach(builder::config);
    return builder.getOrCreate();
  }
}
