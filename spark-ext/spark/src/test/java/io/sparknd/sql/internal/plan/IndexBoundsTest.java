/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the ranges of slices that conditions on index columns give. */
class IndexBoundsTest {
  private static final Shape OUTER = Shape.of(10, 6);

  private final SparkSession spark = LocalSpark.session();

  /** Returns the range for a condition on the columns {@code i bigint, j int} of a table. */
  private SliceRange range(String condition) {
    Filter filter =
        (Filter)
            ClassicSpark.of(
                    spark.range(1).selectExpr("id AS i", "CAST(id AS INT) AS j").where(condition))
                .queryExecution()
                .analyzed();
    List<Attribute> columns = ScalaSeqs.list(filter.child().output());
    return IndexBounds.range(FilterTerms.of(filter.condition()), columns, OUTER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "i = 3L|18|24",
        "3L = i|18|24",
        "i <=> 3L|18|24",
        "i < 2L|0|12",
        "2L > i|0|12",
        "i >= 8L|48|60",
        "8L <= i|48|60",
        "8L < i|54|60",
        "2L >= i|0|18",
        "i >= 2L AND i <= 4L AND j > 1|14|30",
        "i = 3L AND j = 4|22|23",
        "i IN (7L, 2L, 3L)|12|48",
        "i = 2L OR i = 5L|12|36",
        "i = 2L OR j = 0|0|60",
        "i IS NULL OR i < 0L OR i >= 10L OR i = 3L|0|60",
        "i < 0L OR i >= 10L OR i = 3L|18|24",
        "i % 2L = 0L|0|60",
        "j = 2|2|57",
        "i > 1L OR i IN (NULL, 3L)|0|60",
        "NOT i = 3L|0|60"
      })
  void rangeHoldsEveryTupleThatPasses(String condition, long first, long end) {
    assertThat(range(condition)).isEqualTo(new SliceRange(first, end));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"i = 10L", "i < 0L", "i > 4L AND i < 2L", "i = 2L AND i = 3L", "j IN (6, 7)"})
  void rangeIsEmptyIfNoTupleInBoundsPasses(String condition) {
    assertThat(range(condition)).isEqualTo(SliceRange.NONE);
  }

  @Test
  void countIsWithinTheTensor() {
    assertThat(SliceRange.ALL.count(7)).isEqualTo(7);
    assertThat(new SliceRange(2, 5).count(4)).isEqualTo(2);
    assertThat(new SliceRange(5, 6).count(4)).isZero();
    assertThat(SliceRange.NONE.count(4)).isZero();
  }
}
