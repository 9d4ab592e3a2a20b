/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static io.sparknd.udf.Sql.SPARK;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that operators which hold results of several rows or calls do not see the reused result
 * memory of generated code. Interpreted code does not reuse memory and gives the expected results.
 */
@Tag("slow")
class RowMemoryTest {
  private static final int ROWS = 40;

  /**
   * Cached in memory, where arrays have the layout of other rows; arrays from files are columnar.
   */
  private static Dataset<Row> cached;

  @BeforeAll
  static void makeRows() {
    // several shapes, some longer than the following ones
    cached =
        SPARK
            .range(0, ROWS, 1, 2)
            .selectExpr(
                "id",
                "id % 3 AS k",
                "transform(sequence(1, 2 + int(id * 7 % 5)), r ->"
                    + " transform(sequence(1, 3), c -> float(id * 100 + r * 10 + c))) AS t",
                "array(array(int(id % 2)), array(1)) AS i",
                "array(array(-1f, float(-id), 0f), array(float(id), 5f, 6f)) AS u")
            .cache();
    cached
        .selectExpr(
            "*",
            "tensor_scatter_nd_update(t, i, u) AS f",
            "tensor_scatter_nd_add(t, i, u) AS g",
            "tensor_scatter_nd_update(tensor_scatter_nd_add(t, i, u), i, u) AS h")
        .createOrReplaceTempView("results");
  }

  @AfterAll
  static void forgetRows() {
    cached.unpersist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, f, g, h, t FROM results ORDER BY id",
        "SELECT id, array(f, g, f, h), t FROM results ORDER BY id",
        "SELECT id, struct(f, g), map('f', f, 'g', g), f = h, f < h FROM results ORDER BY id",
        "SELECT id, IF(id % 2 = 0, f, g), coalesce(IF(id % 3 = 0, NULL, g), f) FROM results"
            + " ORDER BY id",
        "SELECT id, transform(sequence(0, 3), x -> tensor_scatter_nd_update(t, i,"
            + " array(array(float(x), 0f, 0f), u[1]))) FROM results ORDER BY id",
        "SELECT id, zip_with(u, u, (a, b) -> tensor_scatter_nd_add(t, i, array(a, b))) FROM results"
            + " ORDER BY id",
        "SELECT id, aggregate(sequence(1, 3), f, (a, x) -> tensor_scatter_nd_add(a, i, u))"
            + " FROM results ORDER BY id",
        "SELECT id, e FROM (SELECT id, explode(array(f, g, f)) e FROM results) ORDER BY id, e",
        "SELECT id, f FROM results ORDER BY f",
        "SELECT id, f FROM results ORDER BY h DESC LIMIT 7",
        "SELECT id, t FROM results ORDER BY tensor_scatter_nd_update(t, i, u)",
        "SELECT k, sort_array(collect_list(f)), max(g), min(g) FROM results GROUP BY k ORDER BY k",
        "SELECT k, max_by(f, id), min_by(g, id), max(g[0][0]) FROM results GROUP BY k ORDER BY k",
        "SELECT max(f), min(g), max_by(f, id), count(DISTINCT h) FROM results",
        "SELECT first(f), last(g) FROM (SELECT * FROM results ORDER BY id)",
        "SELECT f, count(*) FROM results GROUP BY f ORDER BY f",
        "SELECT DISTINCT slice(f, 1, 1) FROM results ORDER BY 1",
        "SELECT id, lag(f) OVER (PARTITION BY k ORDER BY id), first(g) OVER (PARTITION BY k ORDER"
            + " BY id) FROM results ORDER BY id",
        "SELECT a.id, b.id, a.f FROM results a JOIN results b ON a.f = b.f ORDER BY 1, 2",
        "SELECT /*+ MERGE(b) */ a.id, b.id, a.f, b.g FROM results a JOIN results b"
            + " ON a.f = b.f ORDER BY 1, 2",
        "SELECT /*+ BROADCAST(b) */ a.id, b.id, a.f, b.g FROM results a JOIN results b"
            + " ON a.k = b.k AND a.f[0][0] <= b.g[0][0] ORDER BY 1, 2",
        "SELECT id, f FROM results UNION ALL SELECT id, g FROM results ORDER BY 1, 2",
        "SELECT id, f FROM results WHERE f[0][0] > 0 OR g <> h ORDER BY id",
        "SELECT id, nd_reshape(gather_nd(f, array(array(1), array(0))), array(6L)) FROM results"
            + " ORDER BY id",
      })
  void operatorsDoNotSeeReusedMemory(String statement) {
    assertThat(rows(statement, Codegen.ON)).isEqualTo(rows(statement, Codegen.OFF)).isNotEmpty();
  }

  private static List<String> rows(String statement, Codegen codegen) {
    List<String> rows = new ArrayList<>();
    codegen.run(SPARK, () -> SPARK.sql(statement).collectAsList().forEach(row -> add(row, rows)));
    return rows;
  }

  private static void add(Row row, List<String> rows) {
    rows.add(row.toString());
  }
}
