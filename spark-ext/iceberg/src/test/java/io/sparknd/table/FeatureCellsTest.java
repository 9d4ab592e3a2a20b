/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests cells of feature tables that other engines wrote with another shape. */
class FeatureCellsTest {
  private static Dataset<Row> sql(String query) {
    return TestTables.spark().sql(query);
  }

  private static FeatureTable create() {
    return FeatureTable.create(
        TestTables.spark(),
        TestTables.name(),
        FeatureTableSpec.keyedBy("k", "string")
            .with(Variable.of("m", DType.FLOAT32, 2, 3).reducedBy(VariableReduction.add()))
            .withBuckets(1));
  }

  /** As many elements in arrays of other lengths are not a slice of the shape. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "array(array(1F, 2F), array(3F, 4F), array(5F, 6F))",
        "array(array(1F, 2F, 3F, 4F), array(5F, 6F))",
        "array(array(1F, 2F, 3F, 4F, 5F, 6F))"
      })
  void slicesOfAnotherShapeAreErrors(String value) {
    FeatureTable table = create();
    sql("INSERT INTO " + table.name() + " VALUES ('a', NULL), ('b', " + value + ")");
    Dataset<Row> b = sql("SELECT 'b' AS k");
    assertThatThrownBy(() -> table.gather(b, List.of("k")).collectAsList())
        .hasStackTraceContaining("row 1 of the file of column m")
        .hasStackTraceContaining("[2, 3]");
    assertThatThrownBy(
            () ->
                table.scatter(
                    sql("SELECT 'b' AS k, array(array(1F, 1F, 1F), array(1F, 1F, 1F)) AS m")))
        .hasStackTraceContaining("[2, 3]");
  }

  @Test
  void slicesBesideNullsAreRead() {
    FeatureTable table = create();
    sql(
        "INSERT INTO "
            + table.name()
            + " VALUES ('a', NULL), ('b', array(array(1F, 2F, 3F), array(4F, 5F, 6F))), ('c', NULL)");
    assertThat(
            table
                .gather(sql("SELECT 'b' AS k"), List.of("k"))
                .selectExpr("to_json(m)")
                .first()
                .getString(0))
        .isEqualTo("[[1.0,2.0,3.0],[4.0,5.0,6.0]]");
  }
}
