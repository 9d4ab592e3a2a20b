/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.LocalSpark;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that invalid arguments are reported before any job runs. */
class WrongArgumentsTest {
  private static final String TENSOR = "TABLE(SELECT id AS i, id * 1.0D AS v FROM range(4))";
  private static final String UPDATES = "TABLE(SELECT 1 AS i, 2.0D AS v)";

  private final SparkSession spark = LocalSpark.session().newSession();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scatter_nd(T)                              | the shape of the tensor is unknown, since argument 'updates' with columns [i, v] is a query or files: pass shape => array(...)
          scatter_nd(T, shap => array(4))            | scatter_nd has no argument 'shap'; it has updates, shape,
          scatter_nd(array(4))                       | scatter_nd needs a table or query as its argument 'updates'
          scatter_nd()                               | scatter_nd needs a table or query as its argument 'updates'
          scatter_nd(T, T)                           | argument 'shape' of scatter_nd is
          scatter_nd(T, array(4), updates => T)      | argument 'updates' of scatter_nd is given twice
          scatter_nd(T, 4)                           | argument 'shape' of scatter_nd is 4; it takes an array of integers
          scatter_nd(T, array('4'))                  | argument 'shape' of scatter_nd is [4]; it takes an array of integers
          scatter_nd(T, array(1.5))                  | it takes an array of integers
          scatter_nd(T, array(-4))                   | shape [-4] has a negative dimension
          scatter_nd(T, array(4, 2))                 | shape [4, 2] has 2 dimensions, and table 'updates' is of a tensor of 1: index columns [i] and value column 'v' of type double
          scatter_nd(TABLE(SELECT 1 AS i, array(1.0D) AS v), array(3)) | shape [3] has 1 dimensions, and table 'updates' is of a tensor of 2
          gather_nd(TABLE(SELECT 1 AS i, array(1.0BD) AS v), T, array(3)) | shape [3] has 1 dimensions, and table 'params' is of a tensor of 2
          scatter_nd(T, array(9223372036854775807, 9)) | has more than 2^63 - 1 elements
          scatter_nd(T, array(cast(rand() * 9 AS int))) | must be a constant
          scatter_nd(T, array(1 div 0))              | cannot be evaluated
          scatter_nd(T, array(4), 'plus')            | reduction 'plus' is unknown; use one of
          scatter_nd(T, array(4), 3)                 | argument 'reduction' of scatter_nd is 3; it takes a string
          scatter_nd(T, array(4), bad_indices => 'drop') | bad_indices 'drop' is unknown
          scatter_nd(T, array(4), negative => 'maybe') | negative 'maybe' is unknown
          scatter_nd(T, array(4), duplicates => 'no') | duplicates 'no' is unknown
          scatter_nd(T, array(4), dtype => 'float31') | dtype 'float31' is unknown
          scatter_nd(T, array(4), dtype => 'int32')  | value column 'v' is double; slices of shape [] of a int32 tensor need int
          scatter_nd(T, array(4), order_by => 'when') | column 'when' is not among [i, v] of updates
          scatter_nd(TABLE(SELECT 1 AS i, map(1, 2) AS o, 1 AS v), array(4), order_by => 'o') | column 'o', which orders updates, is map<int,int>, and Spark does not order such values
          tensor_scatter_nd_add(T, TABLE(SELECT 1 AS i, 1D AS v, array(parse_json('1')) AS o), array(4), order_by => 'o', value_column => 'v') | which orders updates, is array<variant>
          scatter_nd(T, array(4), value_column => 'w') | column 'w' is not among [i, v] of updates
          scatter_nd(T, array(4), index_columns => array('v')) | index column 'v' is double; indices must be
          scatter_nd(T, array(4), order_by => NULL) | argument 'order_by' of scatter_nd is NULL: leave it out for its default
          scatter_nd(T, array(4), reduction => CAST(NULL AS STRING)) | argument 'reduction' of scatter_nd is NULL
          tensor_scatter_nd_update(T, T, array(4), duplicates => NULL) | argument 'duplicates' of
          scatter_nd(T, array(4), index_columns => NULL) | argument 'index_columns' of scatter_nd is NULL
          scatter_nd(T, array(4), 'none', include_self => false) | argument 'include_self' of scatter_nd is false; it takes true with reduction 'none'
          scatter_nd(T, array(4), include_self => 'no') | argument 'include_self' of scatter_nd is no; it takes true or false
          scatter_nd(T, array(4), include_self => NULL) | argument 'include_self' of scatter_nd is NULL
          tensor_scatter_nd_update(T, T, array(4), include_self => false) | argument 'include_self' of tensor_scatter_nd_update is false; it takes true
          scatter_nd(T, array(4), index_columns => 7) | it takes names of columns
          scatter_nd(TABLE(SELECT 1, map(1, 2)), array(4)) | which a tensor cannot hold
          scatter_nd(TABLE(SELECT 1, DATE'2026-01-01'), array(4)) | add is not defined for date; defined are none, min, max
          scatter_nd(TABLE(SELECT 1, 1, 1, 2), array(4)) | shape [4] has 1 dimensions, and table 'updates' is of a tensor of 3
          scatter_nd(TABLE(SELECT 1, true), array(4), 'sub') | sub is not defined for bool
          scatter_nd(T PARTITION BY (i), array(4))   | PARTITION BY, ORDER BY or WITH SINGLE PARTITION
          scatter_nd(T WITH SINGLE PARTITION, array(4)) | PARTITION BY, ORDER BY or WITH SINGLE PARTITION
          gather_nd(T)                               | gather_nd needs a table or query as its argument 'indices'
          gather_nd(T, TABLE(SELECT 'a'), array(4))  | index column 'a' is string
          gather_nd(T, T, array(4), 2)               | batch_dims is 2; of 1 index columns it can be 0 to 1
          gather_nd(T, T, array(4), fill => 'x')     | value x is not a float64
          gather_nd(T, T, array(4), batch_dims => 0.7) | argument 'batch_dims' of gather_nd is 0.7; it takes an integer
          gather_nd(T, T, array(4), batch_dims => 5000000000) | argument 'batch_dims' of gather_nd is 5000000000; it takes an integer
          gather_nd(T, T, array(4), fill => 1, bad_indices => 'clip') | 'fill' needs a fill value
          gather_nd(T, T, array(4), bad_indices => 'fill') | 'fill' needs a fill value
          gather_nd(T, T, array(4), 0, 'error', 'error', 1, 'i', 'v', 'float64', array('v'), 'f', 13) | gather_nd is given 13 arguments; it has 12
          scatter_nd(TABLE(SELECT 1, named_struct('im', 1F, 're', 2F) AS v), array(4)) | 'v' is struct<im:float,re:float>; a complex number is struct<re, im>, with these names in this order
          tensor_scatter_nd_add(TABLE(SELECT 1, named_struct('re', 1F, 'im', 2F) AS v), TABLE(SELECT 1, named_struct('im', 1F, 're', 2F) AS v), array(4)) | a complex number is struct<re, im>
          gather_nd(TABLE(SELECT 1, array(named_struct('x', 1D, 'y', 2D)) AS v), T, array(4, 1)) | a complex number is struct<re, im>
          gather_nd(TABLE(SELECT 1 AS i, named_struct('re', 1F, 'im', 2F) AS v), T, array(4), fill => named_struct('im', 1F, 're', 2F)) | is not a complex64
          tensor_scatter_nd_add(TABLE(SELECT 0Y AS i, 1 AS v), TABLE(SELECT 1 AS i, 1 AS v), array(129)) | index column 'i' of the tensor is tinyint, which ends at 127, and the result has indices up to 128 by shape [129]
          tensor_scatter_nd_max(TABLE(SELECT 0L AS i, 0S AS j, 1 AS v), TABLE(SELECT 0, 0, 1), array(9, 32769)) | index column 'j' of the tensor is smallint, which ends at 32767
          tensor_scatter_nd_update(TABLE(SELECT 0 AS i, 1 AS v), TABLE(SELECT 1, 1), array(2147483649)) | is int, which ends at 2147483647, and the result has indices up to 2147483648
          tensor_scatter_nd_add(T, TABLE(SELECT 1, 'a'), array(4)) | value column 'a' is string; slices of shape [] of a float64 tensor need double
          """)
  void wrongArgumentsAreAnAnalysisError(String call, String message) {
    String statement = "SELECT *\nFROM " + call.replaceAll("\\bT\\b", TENSOR);
    assertThatThrownBy(() -> spark.sql(statement))
        .isInstanceOfSatisfying(
            AnalysisException.class,
            e -> {
              assertThat(e.getMessage()).contains(message.strip());
              assertThat(e.line().isDefined()).isTrue();
              assertThat(e.line().get()).isEqualTo(2);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CHAR(3) | \"x\" | CAST(v AS string)",
        "VARCHAR(3) | \"x\" | CAST(v AS string)",
        "ARRAY<CHAR(3)> | array(\"x\") | CAST(v AS array<string>)"
      })
  void stringsOfBoundedLengthAreCast(String type, String value, String cast, @TempDir Path folder) {
    spark.conf().set("spark.sql.preserveCharVarcharTypeInfo", "true");
    spark.sql("DROP TABLE IF EXISTS bounded_strings");
    spark.sql(
        "CREATE TABLE bounded_strings (i INT, v %s) USING parquet LOCATION '%s'"
            .formatted(type, folder.toUri()));
    spark.sql("INSERT INTO bounded_strings SELECT 1, " + value);
    String shape = type.startsWith("ARRAY") ? "array(4, 1)" : "array(4)";
    String call = "SELECT * FROM scatter_nd(TABLE(%s), " + shape + ", 'none')";
    assertThatThrownBy(() -> spark.sql(call.formatted("bounded_strings")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("have any length: write " + cast);
    assertThat(
            spark
                .sql(call.formatted("SELECT i, " + cast + " FROM bounded_strings"))
                .collectAsList())
        .hasSize(4);
    spark.sql("DROP TABLE bounded_strings");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "indices | gather_nd(T, TABLE(SELECT x), array(4))",
        "indices | gather_nd(T, TABLE(SELECT i FROM U WHERE i = x), array(4))",
        "indices | gather_nd(T, TABLE(VALUES (x)), array(4))",
        "params | gather_nd(TABLE(SELECT x, 1.0D), TABLE(SELECT 1), array(4))",
        "updates | scatter_nd(TABLE(SELECT x, 1.0D), array(4))",
        "updates | tensor_scatter_nd_add(T, TABLE(SELECT x, 1.0D), array(4))",
        "indices | gather_nd(T, indices => TABLE(SELECT r.x + 1), shape => array(4))",
        "indices | (SELECT v FROM gather_nd(T, TABLE(SELECT x), array(4)))"
      })
  void aCorrelatedTableIsRefused(String argument, String call) {
    String statement = "SELECT * FROM range(3) AS r(x), LATERAL " + call;
    assertThatThrownBy(
            () ->
                spark.sql(
                    statement
                        .replaceAll("\\bT\\b", TENSOR)
                        .replaceAll("\\bU\\b", "(SELECT 1 AS i)")))
        .isInstanceOfSatisfying(
            AnalysisException.class,
            e -> {
              assertThat(e.getCondition())
                  .isEqualTo("SPARKND_INVALID_TABLE_ARGUMENT.TABLE_ARGUMENT_CORRELATED");
              assertThat(e.getMessage())
                  .contains(
                      "argument '" + argument + "' of ",
                      "(LATERAL)",
                      argument + " => TABLE(SELECT ... FROM outer_table)");
            });
  }

  @Test
  void moreArgumentsThanParametersAreCountedInLateral() {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM range(3) AS r(x), LATERAL gather_nd("
                        + String.join(", ", Collections.nCopies(40, "TABLE(SELECT x)"))
                        + ")"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("params");
  }

  /** The columns of a call's own tables hide those of the other table. */
  @Test
  void aCallWithItsOwnColumnsMayBeLateral() {
    assertThat(
            spark
                .sql(
                    "SELECT r.x, v FROM range(2) AS r(x), LATERAL gather_nd("
                        + TENSOR
                        + ", TABLE(SELECT x FROM VALUES (3) AS s(x)), array(4)) ORDER BY 1")
                .collectAsList())
        .extracting(org.apache.spark.sql.Row::toString)
        .containsExactly("[0,3.0]", "[1,3.0]");
  }

  /** Any combination of arguments gives a plan or an analysis error. */
  @Tag("slow")
  @Test
  void randomArgumentsGiveAPlanOrAnAnalysisError() {
    List<String> values =
        List.of(
            TENSOR,
            UPDATES,
            "TABLE(SELECT 1)",
            "TABLE(SELECT 'a', 'b')",
            "TABLE(SELECT CAST(NULL AS int) AS i, array(array(1), NULL) AS v)",
            "TABLE(range(3))",
            "array(4)",
            "array(4L)",
            "array(3 + 1)",
            "array(4, 2)",
            "array()",
            "array(NULL)",
            "NULL",
            "'add'",
            "'ignore'",
            "''",
            "1",
            "-1",
            "9999999999",
            "1.5D",
            "true",
            "array('i')",
            "map('a', 1)",
            "struct(1, 2)",
            "DATE'2026-01-01'",
            "TABLE(SELECT 1 AS i, DATE'2026-01-01' AS v)",
            "current_timestamp()",
            "rand()",
            "X'00FF'");
    List<String> names =
        List.of(
            "shape",
            "reduction",
            "order_by",
            "bad_indices",
            "negative",
            "duplicates",
            "dtype",
            "index_columns",
            "value_column",
            "batch_dims",
            "fill",
            "tensor",
            "updates");
    List<String> functions =
        List.of("gather_nd", "scatter_nd", "tensor_scatter_nd_update", "tensor_scatter_nd_min");
    Random random = new Random(7);
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
      StringBuilder call = new StringBuilder(pick(functions, random)).append('(');
      call.append(pick(values.subList(0, 6), random));
      for (int more = random.nextInt(3); more > 0; more--) {
        call.append(", ").append(pick(values, random));
      }
      for (int more = random.nextInt(3); more > 0; more--) {
        call.append(", ").append(pick(names, random)).append(" => ").append(pick(values, random));
      }
      String statement = "SELECT * FROM " + call.append(')');
      Throwable error = catchThrowable(() -> spark.sql(statement));
      assertThat(error == null || error instanceof AnalysisException)
          .as("%s gives %s", statement, error)
          .isTrue();
      refused += error == null ? 0 : 1;
    }
    assertThat(refused).isBetween(500, 999);
  }

  private static <T> T pick(List<T> choices, Random random) {
    return choices.get(random.nextInt(choices.size()));
  }
}
