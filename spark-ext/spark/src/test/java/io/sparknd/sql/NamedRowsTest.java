/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how errors name the row and its remedy. */
class NamedRowsTest {
  private static final SparkSession SPARK = LocalSpark.session();

  @BeforeAll
  static void makeTables() {
    StructType type = StructType.fromDDL("id BIGINT, v FLOAT, w FLOAT");
    List<Row> rows = List.of(RowFactory.create(0L, 1f, 1f), RowFactory.create(1L, 2f, null));
    SPARK.createDataFrame(rows, type).coalesce(1).createOrReplaceTempView("prices");
    SPARK.createDataFrame(rows, type).coalesce(1).createOrReplaceTempView("changes");
  }

  private static void assertSays(String call, String message) {
    assertThatThrownBy(() -> SPARK.sql("SELECT * FROM " + call).collectAsList())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          9 * id AS id, v      | row 1 of partition 0 of updates (changes) = [9]
          -id AS id, v         | row 1 of partition 0 of updates (changes) = [-1]
          nullif(id, 1) id, v  | row 1 of partition 0 of updates (changes) has a null in index
          id, w                | the value at [1], row 1 of partition 0 of updates (changes), is null
          """)
  void rowsOfUpdatesAreNamedWithTheirTable(String columns, String message) {
    String updates = "TABLE(SELECT " + columns + " FROM changes)";
    assertSays("scatter_nd(" + updates + ", array(3))", message);
    assertSays(
        "tensor_scatter_nd_add(TABLE(SELECT id, v FROM prices), "
            + updates
            + ", array(3), index_columns => 'id')",
        message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          9 * id AS id, v | row 1 of partition 0 of tensor (prices) = [9] is out of bounds for \
          shape [3]: correct the row, or give the tensor a larger shape
          0 * id AS id, v | tensor (prices) has more than one row of index [0]: keep one
          id, w AS v      | row 1 of partition 0 of tensor (prices), is null: correct the row
          """)
  void rowsOfATensorAreNamedWithTheirTable(String columns, String message) {
    assertSays(
        "tensor_scatter_nd_add(TABLE(SELECT "
            + columns
            + " FROM prices), TABLE(SELECT id, v FROM changes), array(3))",
        message);
  }

  @Test
  void rowOfAJoinIsNotAttributedToOneOfItsTables() {
    assertSays(
        "scatter_nd(TABLE(SELECT p.id * c.id * 9 AS id, p.v * c.v FROM prices p JOIN changes c"
            + " USING (id)), array(3))",
        " of updates = [9]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scatter_nd(TABLE(SELECT id + 4 AS i, 1.0D AS v FROM range(0, 1, 1, 1)), array(4)) | row 0 of partition 0 of updates = [4]
          scatter_nd(TABLE(SELECT IF(id = 0, NULL, 1) AS place, 1.0D AS v FROM range(0, 1, 1, 1)), array(4)) | row 0 of partition 0 of updates has a null in index column 'place'
          scatter_nd(TABLE(SELECT id AS i, IF(id = 0, NULL, 1.0D) AS v FROM range(0, 1, 1, 1)), array(4)) | the value at [0], row 0 of partition 0 of updates, is null
          tensor_scatter_nd_add(TABLE(SELECT id + 4 AS i, 1.0D AS v FROM range(0, 1, 1, 1)), TABLE(SELECT 1 AS i, 1.0D AS v), array(4)) | of tensor = [4]
          gather_nd(TABLE(SELECT id + 4 AS i, 1.0D AS v FROM range(0, 1, 1, 1)), TABLE(SELECT 1 AS i), array(4)) | of params = [4]
          gather_nd(TABLE(SELECT id AS i, 1.0D AS v FROM range(0, 1, 1, 1)), TABLE(SELECT id + 9 AS i FROM range(0, 1, 1, 1)), array(4)) | row 0 of partition 0 of indices = [9]
          """)
  void errorsOfRowsNameTheArgument(String call, String message) {
    assertSays(call, message);
  }
}
