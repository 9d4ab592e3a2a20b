/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What errors of rows call the rows. */
class NamedRowsTest {
  private final SparkSession spark = LocalSpark.session().newSession();

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
  void noErrorOfARowLeavesOpenWhoseRowItIs(String call, String message) {
    assertThatThrownBy(() -> spark.sql("SELECT * FROM " + call).collectAsList())
        .hasMessageContaining(message);
  }
}
