/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.LocalCatalog;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements of the Kubernetes job run, and a second run changes nothing. */
@Tag("slow")
class NightlyScriptTest {
  @Test
  void aSecondRunOfTheNightCountsOnce(@TempDir Path directory) throws Exception {
    List<String> statements =
        Stream.of(
                KubernetesManifest.ours()
                    .only(ConfigMap.class)
                    .getData()
                    .get("night.sql")
                    .split(";\\s*\n"))
            .filter(statement -> !statement.isBlank())
            .toList();
    assertThat(statements).hasSize(5);
    try (SparkSession spark = session(directory)) {
      spark.sql("CREATE NAMESPACE lake.shop");
      spark.sql(
          "CALL nd.system.create_tensor('lake.shop.spent', 'float64', array(100),"
              + " index_columns => 'user')");
      spark.sql(
          "CREATE TABLE lake.shop.orders (user bigint, amount double, day date) USING iceberg");
      spark.sql(
          "INSERT INTO lake.shop.orders SELECT id % 3, 0.25D, current_date() - 1 FROM range(9)"
              // of a night that failed
              + " UNION ALL SELECT id % 3, 0.25D, current_date() - 3 FROM range(9)"
              + " UNION ALL SELECT 1, 100D, current_date()");
      for (int run = 0; run < 2; run++) {
        statements.forEach(statement -> spark.sql(statement).collectAsList());
        assertThat(
                spark.sql("SELECT user, value FROM lake.shop.spent ORDER BY user").collectAsList())
            .extracting(Row::toString)
            .containsExactly("[0,1.5]", "[1,1.5]", "[2,1.5]");
      }
    }
  }

  private static SparkSession session(Path directory) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.catalog.nd", NdCatalog.class.getName());
    LocalCatalog.settings("lake", directory.resolve("lake")).forEach(builder::config);
    return builder.getOrCreate();
  }
}
