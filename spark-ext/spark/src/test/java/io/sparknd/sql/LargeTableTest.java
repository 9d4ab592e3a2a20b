/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.LocalCluster;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests ten million rows on both sides with a driver that may receive only 4 MiB. */
@Tag("slow")
class LargeTableTest {
  private static final long ROWS = 10_000_000;
  private static final String ADDED =
      "tensor_scatter_nd_add(TABLE(SELECT id, id AS n FROM range(%1$d)), TABLE(SELECT id * 7 %% %1$d"
          + " AS i, 1L AS n FROM range(%1$d) UNION ALL SELECT 5, 3L), array(%1$d))";

  @Test
  void rowsAreNotCollectedOnTheDriver() throws Exception {
    Map<String, String> small = Map.of("spark.driver.maxResultSize", "4m");
    try (LocalCluster cluster = LocalCluster.start(small)) {
      SparkSession spark = cluster.session();
      String added = "FROM " + ADDED.formatted(ROWS);
      assertThat(rows(spark, "SELECT count(*) AS c, sum(n - id) AS s, max(n - id) AS m " + added))
          .containsExactly("{\"c\":10000000,\"s\":10000003,\"m\":4}");
      String gathered =
          "SELECT count(*) AS c, sum(n) AS s, sum(i) AS i FROM gather_nd(TABLE(SELECT * %s),"
              + " TABLE(SELECT id * 3 %% %d AS i, string(id) AS label FROM range(%2$d)), array(%2$d))";
      assertThat(rows(spark, gathered.formatted(added, ROWS)))
          .containsExactly("{\"c\":10000000,\"s\":50000005000003,\"i\":49999995000000}");
    }
  }

  private static List<String> rows(SparkSession spark, String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }
}
