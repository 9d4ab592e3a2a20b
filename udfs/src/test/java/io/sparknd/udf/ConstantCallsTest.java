/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.udf.catalyst.RowCall;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Tests calls with constant arguments. */
class ConstantCallsTest {
  private static final List<String> VARIABLES =
      List.of(
          "dims = array(2, 3)",
          "axis = 1",
          "word = 'ignore'",
          "type = 'double'",
          "depth = 1",
          "unset = CAST(NULL AS STRING)");

  @BeforeEach
  void declare() {
    VARIABLES.forEach(variable -> Sql.SPARK.sql("DECLARE OR REPLACE VARIABLE " + variable));
  }

  @AfterEach
  void drop() {
    VARIABLES.forEach(
        variable -> Sql.SPARK.sql("DROP TEMPORARY VARIABLE " + variable.split(" ")[0]));
  }

  @Test
  void aCallThatIsNeverMadeFailsInNoWay() {
    String call = "nd_shape(gather_nd(array(1, 2), array(array(7))))";
    assertThat(
            Sql.SPARK
                .sql("SELECT if(id > 9, " + call + ", NULL) AS v FROM range(3)")
                .collectAsList())
        .allMatch(row -> row.isNullAt(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nd_zeros(CAST(NULL AS ARRAY<INT>))",
        "nd_reshape(array(1, 2), CAST(NULL AS ARRAY<INT>))",
        "scatter_nd(array(array(1)), array(1.0D), CAST(NULL AS ARRAY<INT>))"
      })
  void noShapeGivesNull(String call) {
    assertThat(Sql.value(call)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nd_zeros(shape, 'struct<shape: array<bigint>, values: array<float>>')",
        "nd_reshape(struct(array(1L) AS shape, array(1F) AS values), shape)",
        "scatter_nd(array(array(0)), struct(array(1L) AS shape, array(1F) AS values), shape)"
      })
  void noShapeGivesNullOfATypeThatDoesNotDependOnIt(String call) {
    String typed =
        call.replace("shape)", "CAST(NULL AS ARRAY<INT>))")
            .replace("(shape,", "(CAST(NULL AS ARRAY<INT>),");
    assertThat(Sql.value(typed)).isNull();
    assertThat(Sql.text("typeof(" + typed + ")"))
        .isEqualTo("struct<shape:array<bigint>,values:array<float>>");
  }

  /** Each of its inner arrays is empty, but has a header. */
  @Test
  void tooLargeReshapedStringsAreAnError() {
    assertThat(
            Sql.failure(
                "nd_reshape(CAST(array() AS array<string>), array(2000000000, n)) FROM VALUES (0) AS t(n)"))
        .contains("a value of a row holds at most 2147483632 bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nd_zeros(array(2000000000))",
        "nd_zeros(array(50000, 50000), 'tinyint')",
        "nd_zeros(array(2000000000, 0))",
        "nd_zeros(array(2000000000), 'struct<shape: array<bigint>, values: array<double>>')",
        "nd_zeros(array(300000000), 'string')",
        "scatter_nd(array(array(1)), array(1.0D), array(1000000000))",
        "scatter_nd_agg(id, 1.0D, array(1000000000)) FROM range(3)"
      })
  void tooLargeConstantResultIsAnAnalysisError(String call) {
    assertThat(Sql.refusal(call))
        .contains("a value of a row holds at most 2147483632 bytes")
        .contains("use a smaller shape");
  }

  /** The depth is the length of the first tuple, which may be a constant among others. */
  @Test
  void tuplesMayBeConstantsInPart() {
    for (String tuples :
        List.of("array(0), array(int(id))", "array(int(id)), array(0)", "array(0), array(2)")) {
      String call = "to_json(gather_nd(array(5, 6, 7), array(" + tuples + "))) FROM range(2, 3)";
      assertThat(Sql.text(call)).isIn("[5,7]", "[7,5]");
    }
    assertThat(
            Sql.text(
                "to_json(gather_nd(array(array(5, 6), array(7, 8)),"
                    + " array(array(array(1, 0)), array(array(0, int(id)))))) FROM range(1, 2)"))
        .isEqualTo("[[7],[6]]");
  }

  @Test
  void tooLargeResultIsRejectedBeforeAllocation() {
    assertThat(Sql.failure("nd_zeros(array(id)) FROM range(2000000000, 2000000001)"))
        .contains("a tensor of shape [2000000000] has 2000000000 elements of 4 bytes")
        .contains("a value of a row holds at most 2147483632 bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nd_zeros(array(1000, 1000))",
        "nd_shape(nd_zeros(array(1000, 1000)))",
        "scatter_nd(array(array(1)), array(1.0D), array(500000))",
        "gather_nd(nd_zeros(array(10, 10000)), nd_zeros(array(100, 1), 'int'))",
        "tensor_scatter_nd_add(nd_zeros(array(1000000), 'int'), array(array(1)), array(2))"
      })
  void largeConstantsAreNotFolded(String call) {
    assertThat(holdsCall(call)).isTrue();
    assertThat(Sql.SPARK.sql("SELECT " + call + " IS NULL").first().getBoolean(0)).isFalse();
  }

  @Test
  void smallConstantsAreStillFolded() {
    assertThat(holdsCall("nd_zeros(array(100, 100))")).isFalse();
    assertThat(holdsCall("gather_nd(array(1, 2), array(array(1)))")).isFalse();
  }

  private static boolean holdsCall(String call) {
    LogicalPlan plan =
        ((org.apache.spark.sql.classic.Dataset<?>) Sql.SPARK.sql("SELECT " + call))
            .queryExecution()
            .optimizedPlan();
    return CollectionConverters.asJava(plan.expressions()).stream()
        .anyMatch(expression -> expression.exists(Calls.INSTANCE));
  }

  private static final class Calls
      extends scala.runtime.AbstractFunction1<
          org.apache.spark.sql.catalyst.expressions.Expression, Object> {
    static final Calls INSTANCE = new Calls();

    @Override
    public Object apply(org.apache.spark.sql.catalyst.expressions.Expression expression) {
      return expression instanceof RowCall;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nd_zeros(dims, 'int')",
        "nd_zeros(shape => dims, type => 'int')",
        "nd_zeros(dims, type => 'int')",
        "nd_zeros(array(1 + 1, ifnull(NULL, 3)), 'int')",
        "nd_zeros(array(abs(-2), CAST('3' AS INT)), type => concat('i', 'nt'))",
        "nd_zeros(array(nullif(2, 0), length('abc')), 'int')",
        "nd_zeros(array_append(array(2), 3), 'int')",
        "nd_reshape(array(0, 0, 0, 0, 0, 0), dims)",
        "nd_reshape(array(0, 0, 0, 0, 0, 0), shape => dims)",
        "scatter_nd(array(array(0)), array(array(0, 0, 0)), dims)",
        "scatter_nd(array(array(9)), array(array(0, 0, 0)), dims, word)",
        "scatter_nd(array(array(9)), array(array(0, 0, 0)), dims, bad_indices => word)",
        "scatter_nd(array(array(9)), array(array(0, 0, 0)), dims,"
            + " bad_indices => lower(nvl(NULL, 'IGNORE')))",
        "scatter_nd_agg(array(id), array(0, 0, 0), dims) FROM range(2)",
        "scatter_nd_agg(array(id), array(0, 0, 0), shape => dims, bad_indices => word) FROM range(9)",
        "gather_nd(array(array(0, 0, 0)), nd_zeros(array(2, 1), 'int'), depth => depth)",
        "gather_elements(nd_zeros(array(2, 3), 'int'), nd_zeros(array(2, 3), 'int'), axis)",
        "gather_elements(nd_zeros(array(2, 3), 'int'), nd_zeros(array(2, 3), 'int'), axis => axis)",
        "gather_elements(nd_zeros(array(2, 3), 'int'), nd_zeros(array(2, 3), 'int'), 1, negative => unset)",
        "gather_elements(nd_zeros(array(2, 3), 'int'), nd_zeros(array(2, 3), 'int'), axis => 2 - 1)",
        "scatter_nd(array(array(0)), array(array(0, 0, 0)), dims,"
            + " negative => CAST(NULL AS STRING))"
      })
  void optionsMayBeConstantExpressionsAndVariables(String call) {
    assertThat(Sql.text(call)).isEqualTo("[[0, 0, 0], [0, 0, 0]]");
  }

  @Test
  void typeArgumentMayBeASessionVariable() {
    assertThat(Sql.text("nd_zeros(dims, type)")).isEqualTo("[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]");
  }
}
