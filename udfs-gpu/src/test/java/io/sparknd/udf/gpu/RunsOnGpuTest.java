/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.LocalSpark;
import io.sparknd.udf.Held;
import io.sparknd.udf.Sql;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Queries on the RAPIDS Accelerator give bit for bit the results of Spark alone. */
@ExtendWith(NeedsGpu.class)
class RunsOnGpuTest {
  private static final SparkSession SPARK = LocalSpark.session();

  @TempDir static Path directory;
  private static Map<String, String> tables;

  @BeforeAll
  static void writeTables() {
    tables =
        Conf.withoutRapids(
            () ->
                Tables.TYPES.stream()
                    .collect(
                        Collectors.toMap(
                            Function.identity(), type -> Tables.write(SPARK, type, directory))));
  }

  static List<Arguments> everything() {
    return Tables.TYPES.stream()
        .flatMap(type -> Tables.calls().stream().map(call -> Arguments.of(type, call)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("everything")
  void theSameBits(String type, String call) {
    check("GpuProject", "SELECT id, " + call + " AS r FROM " + tables.get(type));
  }

  @Test
  void inAFilterAndUnderAnAggregate() {
    check(
        "GpuFilter",
        "SELECT count(id), max(nd_shape(t)[0]) FROM "
            + tables.get("FLOAT")
            + " WHERE gather_nd(t, array(1, 0)) > 0");
  }

  private static void check(String operator, String sql) {
    List<?> expected = Conf.withoutRapids(() -> values(SPARK.sql(sql)));
    assertThat(onGpu(operator, sql)).isEqualTo(expected);
  }

  /** Fails if any part of the plan stays on the CPU: the Accelerator's test mode. */
  private static List<?> onGpu(String operator, String sql) {
    return Conf.with(
        "spark.rapids.sql.test.enabled",
        "true",
        () -> {
          Dataset<Row> rows = SPARK.sql(sql);
          List<?> values = values(rows);
          assertThat(rows.queryExecution().executedPlan().toString()).contains(operator);
          return values;
        });
  }

  /** Returns values as lists, in which every NaN is equal and -0.0 is not 0.0. */
  private static List<?> values(Dataset<Row> rows) {
    return rows.collectAsList().stream()
        .map(row -> Arrays.asList(row.get(0), Held.list(row.get(1))))
        .toList();
  }

  @Test
  void classesForRegisterJavaWidenUpdates() {
    register("wider", "array<array<double>>");
    for (String updates : List.of("FLOAT", "INT", "BIGINT")) {
      String call = "wider(cast(t AS array<array<double>>), i, u)";
      check("GpuProject", "SELECT id, " + call + " FROM " + tables.get(updates));
    }
  }

  @Test
  void classesForRegisterJavaTakeNoStrings() {
    register("words", "array<string>");
    String sql = "SELECT id, words(words, wi, words) FROM " + tables.get("FLOAT");
    assertThat(refusal(sql)).contains("is a column of STRING on a GPU");
  }

  private static void register(String name, String type) {
    SPARK
        .udf()
        .registerJava(name, "io.sparknd.udf.gpu.TensorScatterNdUpdate", DataType.fromDDL(type));
  }

  static List<String> refused() {
    return Tables.refused();
  }

  @ParameterizedTest
  @MethodSource("refused")
  void theSameRefusals(String call) {
    String sql = "SELECT id, " + call + " AS r FROM " + tables.get("FLOAT");
    String expected = Conf.withoutRapids(() -> refusal(sql));
    assertThat(refusal(sql)).isEqualTo(expected);
  }

  private static String refusal(String sql) {
    Dataset<Row> rows = SPARK.sql(sql);
    return Sql.message(catchThrowable(rows::collectAsList));
  }
}
