/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sizes by which Spark decides whether to broadcast the result of a scatter. */
class PlannedScatterSizesTest {
  private static final long SLICES = 1_000_000;

  private final SparkSession spark = LocalSpark.session().newSession();

  @ParameterizedTest
  @ValueSource(strings = {"id", "id, v"})
  void sizeCountsTheIndexColumns(String columns) {
    String updates = "TABLE(SELECT id, tinyint(1) AS v FROM range(9) AS t(id))";
    String query =
        "SELECT %s FROM scatter_nd(%s, array(%d), 'add')".formatted(columns, updates, SLICES);
    var plan = ClassicSpark.of(spark.sql(query)).queryExecution().optimizedPlan();
    assertThat(plan.stats().sizeInBytes().toLong()).isBetween(16 * SLICES, 20 * SLICES);
  }
}
