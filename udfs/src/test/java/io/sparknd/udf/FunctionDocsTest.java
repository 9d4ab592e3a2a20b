/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the output of {@code DESCRIBE FUNCTION EXTENDED}. */
class FunctionDocsTest {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final Pattern EXAMPLE = Pattern.compile("> (SELECT .*);\n +(.*)\n");

  static List<String> names() {
    List<String> names = new ArrayList<>();
    Stream.of("update", "add", "sub", "mul", "min", "max")
        .forEach(word -> names.add("tensor_scatter_nd_" + word));
    names.addAll(
        List.of(
            "scatter_nd",
            "gather_nd",
            "scatter_elements",
            "gather_elements",
            "nd_shape",
            "nd_zeros",
            "nd_reshape",
            "nd_decode",
            "nd_encode",
            "scatter_nd_agg"));
    return names;
  }

  @ParameterizedTest
  @MethodSource("names")
  void describesUsageArgumentsAndVersion(String name) {
    String text = described(name);
    assertThat(text)
        .contains("Function: " + name, "Usage: " + name + "(", "Arguments:", "Since: 0.1.0")
        .doesNotContain("_FUNC_");
  }

  @ParameterizedTest
  @MethodSource("names")
  void examplesGiveTheDocumentedResults(String name) {
    Matcher example = EXAMPLE.matcher(described(name) + "\n");
    int examples = 0;
    while (example.find()) {
      Dataset<Row> rows = SPARK.sql(example.group(1));
      String result =
          rows.toDF("result").select(functions.col("result").cast("string")).first().getString(0);
      assertThat(result).as(example.group(1)).isEqualTo(example.group(2).strip());
      examples++;
    }
    assertThat(examples).isPositive();
  }

  /** A scalar function and a table function may have one name; Spark describes one of them. */
  @ParameterizedTest
  @ValueSource(strings = {"gather_nd", "scatter_nd", "tensor_scatter_nd_max"})
  void describesTheTableFunctionOfTheSameName(String name) {
    String text = described(name);
    assertThat(text)
        .contains("Note:", "FROM " + name + "(TABLE(", "is a table function", "* index_columns - ");
    String example = text.replaceAll("(?s).*Example: (SELECT [^\n]*)\n.*", "$1");
    assertThat(SPARK.sql(example).collectAsList()).isNotEmpty();
  }

  private static String described(String name) {
    return SPARK.sql("DESCRIBE FUNCTION EXTENDED " + name).collectAsList().stream()
        .map(row -> row.getString(0))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @MethodSource("names")
  void showFunctionsListsTheFunction(String name) {
    assertThat(
            SPARK
                .sql("SHOW FUNCTIONS LIKE '" + name + "'")
                .select(functions.col("function"))
                .collectAsList()
                .stream()
                .map(row -> row.getString(0)))
        .containsExactly(name);
  }
}
