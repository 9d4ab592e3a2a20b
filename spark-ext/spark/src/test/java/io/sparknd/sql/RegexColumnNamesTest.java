/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests sessions in which a name in backticks is a regular expression. That is a rule for a user's
 * own {@code SELECT}: columns of a call are named exactly.
 */
class RegexColumnNamesTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void setRegex() {
    spark.conf().set("spark.sql.parser.quotedRegexColumnNames", true);
  }

  @Test
  void aDotMatchesNoOtherColumn() {
    try (DistributedTensor zeros =
            DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(3), Partitioning.of(2));
        DistributedTensor added =
            zeros.scatter(
                Scatter.add(),
                spark.sql("SELECT 1L AS `x.y`, 5D AS x_y, 7D AS v"),
                TensorColumns.of("v", "x.y"))) {
      assertThat((double[]) added.collect().array()).containsExactly(0, 7, 0);
    }
  }

  /** Spark takes no expression for a column to sort by. */
  @Test
  void updatesAreInOrder() {
    Row row =
        spark
            .sql(
                "SELECT collect_list(v) FROM tensor_scatter_nd_update(TABLE(SELECT id, 0 AS v FROM"
                    + " range(2)), TABLE(SELECT * FROM VALUES (1L, 7, 2), (1L, 8, 1) AS u(id, v, ts)),"
                    + " array(2), order_by => 'ts', value_column => 'v')")
            .first();
    assertThat(row.getList(0)).containsExactly(0, 7);
  }

  @Test
  void narrowerUpdatesAreWidened() {
    Row row =
        spark
            .sql(
                "SELECT collect_list(v) FROM tensor_scatter_nd_add(TABLE(SELECT id, id AS v FROM"
                    + " range(2)), TABLE(SELECT 1L AS id, 5 AS v), array(2))")
            .first();
    assertThat(row.getList(0)).containsExactly(0L, 6L);
  }
}
