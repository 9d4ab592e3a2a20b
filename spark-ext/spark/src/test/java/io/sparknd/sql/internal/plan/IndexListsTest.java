/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the few slices that conditions on index columns leave. */
class IndexListsTest {
  private static final Shape OUTER = Shape.of(100_000, 6);

  private final SparkSession spark = LocalSpark.session();

  private Filter filter(String condition) {
    return (Filter)
        ClassicSpark.of(
                spark.range(1).selectExpr("id AS i", "CAST(id AS INT) AS j").where(condition))
            .queryExecution()
            .analyzed();
  }

  private static List<Attribute> columns(Filter filter) {
    return ScalaSeqs.list(filter.child().output());
  }

  /** Returns the slices for a condition on the columns {@code i bigint, j int} of a table. */
  private Optional<SliceSet> slices(String condition) {
    Filter filter = filter(condition);
    return IndexLists.slices(FilterTerms.of(filter.condition()), columns(filter), OUTER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "i = 3L AND j = 4|[22]",
        "4 = j AND i <=> 3L|[22]",
        "i IN (99999L, 3L, 200000L) AND j = 1|[19, 599995]",
        "i = 3L|[18, 19, 20, 21, 22, 23]",
        "i >= 3L AND i <= 4L AND j = 5|[23, 29]",
        "(i = 3L OR i IN (7L, 9L)) AND i <> 9L AND j = 0|[18, 42, 54]",
        "(i = 3L AND j = 0) OR (i = 4L AND j = 1)|[18, 19, 24, 25]",
        "i IN (1L, 2L) AND i IN (2L, 3L) AND j > 4|[17]"
      })
  void slicesAreThoseThatConditionsList(String condition, String expected) {
    assertThat(slices(condition)).hasToString("Optional[" + expected + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i > 3L",
        "j = 3",
        "i < 1000L",
        "i = 3L OR j = 3",
        "i IN (3L, NULL)",
        "i = 3L AND i = 4L",
        "i = 100000L",
        "i % 2L = 1L"
      })
  void slicesAreUnknownIfTheyAreManyOrNone(String condition) {
    assertThat(slices(condition)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "i = 3L|true",
        "i < 3L|false",
        "i >= 0L AND i < 3L|true",
        "i = 100000L|false",
        "i = -1L|false",
        "i IN (1L, 99999L)|true",
        "i IS NULL OR i = 3L|false",
        "i > 3L AND i < 2L|true"
      })
  void conditionsTellWhetherAllIndicesAreInBounds(String condition, boolean expected) {
    Filter filter = filter(condition);
    List<Expression> conditions = FilterTerms.of(filter.condition());
    assertThat(IndexBounds.areInBounds(conditions, columns(filter).get(0), OUTER.dim(0)))
        .isEqualTo(expected);
  }
}
