/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.nvidia.spark.rapids.ExplainPlan;
import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.udf.Held;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The RAPIDS Accelerator's explain output for queries; it needs no GPU. */
class StaysOnGpuTest {
  private static final SparkSession SPARK = LocalSpark.session();

  @TempDir static Path directory;

  private static String table;

  @BeforeAll
  static void writeTable() {
    table = Tables.write(SPARK, "FLOAT", directory);
  }

  private static String notOnGpu(Dataset<Row> rows) {
    return ExplainPlan.explainPotentialGpuPlan(rows, "NOT_ON_GPU");
  }

  static List<String> calls() {
    return Tables.calls();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aQueryWithTheFunction(String call) {
    assertThat(notOnGpu(SPARK.sql("SELECT id, " + call + " AS r FROM " + table))).isEmpty();
  }

  @Test
  void oneThatFiltersByIt() {
    assertThat(
            notOnGpu(
                SPARK.sql("SELECT id FROM " + table + " WHERE gather_nd(t, array(id, 1L)) > 2")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Update", "Add", "Sub", "Mul", "Min", "Max"})
  void classesForRegisterJava(String word) {
    String name = "TensorScatterNd" + word;
    SPARK
        .udf()
        .registerJava(name, "io.sparknd.udf.gpu." + name, DataType.fromDDL("array<array<float>>"));
    Dataset<Row> rows = SPARK.sql("SELECT " + name + "(t, i, u) AS r FROM " + table);
    assertThat(notOnGpu(rows)).isEmpty();
    String function = "tensor_scatter_nd_" + word.toLowerCase(Locale.ROOT);
    assertThat(values(rows))
        .isEqualTo(values(SPARK.sql("SELECT " + function + "(t, i, u) FROM " + table)));
  }

  private static List<?> values(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(row -> Held.list(row.get(0))).toList();
  }

  @Test
  void errorsAreTheCauseOfThoseOfSpark() {
    Dataset<Row> rows = SPARK.sql("SELECT tensor_scatter_nd_update(t, o, u) FROM " + table);
    Throwable thrown = catchThrowable(rows::collectAsList);
    SparkThrowable sparks = first(SparkThrowable.class, thrown);
    assertThat(sparks.getCondition()).isEqualTo("FAILED_EXECUTE_UDF");
    assertThat(sparks.getQueryContext()).isEmpty();
    SparkNdException own = first(SparkNdException.class, thrown);
    assertThat(own.condition()).isEqualTo("SPARKND_NEGATIVE_INDEX");
  }

  /** Returns the first error of {@code type} among {@code thrown} and its causes. */
  private static <T> T first(Class<T> type, Throwable thrown) {
    Throwable error = thrown;
    while (!type.isInstance(error)) {
      error = error.getCause();
    }
    return type.cast(error);
  }

  @Test
  void stringsDoNot() {
    Dataset<Row> rows =
        SPARK.sql("SELECT tensor_scatter_nd_update(words, wi, words) FROM " + table);
    assertThat(notOnGpu(rows)).contains("tensor_scatter_nd_update");
    assertThat(rows.first().getList(0)).containsExactly("a");
  }
}
