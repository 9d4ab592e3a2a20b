/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests constants of all kinds as arguments of table functions. */
class ConstantArgumentsTest {
  private static final String ZERO = "TABLE(SELECT 0L AS i, 7 AS v)";
  private static final String LATE = "TABLE(SELECT 3L AS i, 7 AS v)";

  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void declare() {
    spark.sql("DECLARE OR REPLACE VARIABLE dims = array(2)");
    spark.sql("DECLARE OR REPLACE VARIABLE word = 'ignore'");
    spark.sql("DECLARE OR REPLACE VARIABLE columns = 'i'");
    spark.sql("DECLARE OR REPLACE VARIABLE many = array('i')");
    spark.sql("DECLARE OR REPLACE VARIABLE none = 0");
    spark.sql("DECLARE OR REPLACE VARIABLE unset = CAST(NULL AS STRING)");
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "scatter_nd(Z, dims)",
        "scatter_nd(Z, shape => dims)",
        "scatter_nd(Z, array(1 + 1))",
        "scatter_nd(Z, array(ifnull(NULL, 2)))",
        "scatter_nd(Z, shape => array(nvl(CAST(NULL AS INT), length('ab'))))",
        "scatter_nd(Z, shape => array_append(array(), 2))",
        "scatter_nd(Z, dims, concat('ad', 'd'))",
        "scatter_nd(Z, dims, bad_indices => word)",
        "scatter_nd(Z, dims, bad_indices => lower(upper(word)))",
        "scatter_nd(Z, dims, bad_indices => unset)",
        "scatter_nd(Z, dims, index_columns => columns, value_column => substr('ov', 2))",
        "scatter_nd(Z, dims, index_columns => many)",
        "tensor_scatter_nd_add(Z, TABLE(SELECT 5L AS i, 1 AS v), dims, bad_indices => word)",
        "tensor_scatter_nd_add(Z, L, shape => dims, bad_indices => ifnull(unset, word))"
      })
  void constantsOfAllKindsAreAcceptedByAScatter(String call) {
    String filled = call.replace("Z", ZERO).replace(" L,", LATE + ",");
    assertThat(spark.sql("SELECT v FROM " + filled + " ORDER BY i").collectAsList().toString())
        .isEqualTo("[[7], [0]]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gather_nd(Z, Z, dims)",
        "gather_nd(Z, Z, shape => dims, batch_dims => none)",
        "gather_nd(Z, Z, dims, 1 - 1, unset, fill => none)",
        "gather_nd(Z, Z, dims, none, ifnull(unset, 'error'))"
      })
  void constantsOfAllKindsAreAcceptedByAGather(String call) {
    String filled = call.replaceFirst("Z", ZERO).replaceFirst("Z", "TABLE(SELECT 0L AS i)");
    List<?> rows = spark.sql("SELECT v FROM " + filled).collectAsList();
    assertThat(rows.toString()).isEqualTo("[[7]]");
  }
}
