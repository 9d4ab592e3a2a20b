/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.LocalCatalog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Console$;
import scala.runtime.BoxedUnit;

/** The examples in docs/sql.md, as {@code bin/sparknd sql} runs them, and the README's. */
class DocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/sql.md");
  private static final Path README = Path.of("../README.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("```sql\n(.*?)```\n\n```text\n(.*?)```", Pattern.DOTALL);

  private static final SparkSession SPARK = LocalSpark.session().newSession();

  static List<Arguments> examples() throws IOException {
    List<Arguments> examples = new ArrayList<>();
    for (Path page : List.of(DOCUMENT, README)) {
      Matcher example = EXAMPLE.matcher(Files.readString(page));
      while (example.find()) {
        examples.add(Arguments.of(example.group(1).strip(), example.group(2).strip()));
      }
    }
    return examples;
  }

  @BeforeAll
  static void makeCatalogs(@TempDir Path folder) {
    LocalCatalog.addTo(SPARK, "lake", folder);
    SPARK.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(SPARK);
  }

  @Test
  void everyFunctionHasOne() throws IOException {
    String all =
        String.join("\n", examples().stream().map(each -> each.get()[0].toString()).toList());
    assertThat(all)
        .contains(
            "FROM gather_nd(",
            "FROM scatter_nd(",
            "FROM tensor_scatter_nd_add(",
            "FROM tensor_scatter_nd_update(",
            "CALL nd.system.info(",
            "CALL nd.system.check(",
            "SELECT tensor_scatter_nd_update(",
            "SELECT tensor_scatter_nd_add(",
            "SELECT scatter_nd(",
            "SELECT gather_nd(",
            "scatter_elements(",
            "gather_elements(",
            "nd_shape(",
            "nd_zeros(",
            "nd_reshape(",
            "nd_decode(",
            "nd_encode(",
            "CALL nd.system.create_tensor(",
            "CALL nd.system.scatter_nd(",
            "CALL nd.system.compact(",
            "CALL nd.system.expire(",
            "scatter_nd_agg(");
    assertThat((Files.readString(DOCUMENT) + Files.readString(README)).split("```sql", -1))
        .hasSize(examples().size() + 1);
  }

  /** The result is that of the last statement which has one. */
  @ParameterizedTest
  @MethodSource("examples")
  void givesWhatItSays(String statements, String result) {
    String shown = "";
    for (String statement : statements.split(";\n")) {
      Dataset<Row> rows = SPARK.sql(statement);
      shown = rows.columns().length > 0 ? shown(rows) : shown;
    }
    assertThat(shown.strip()).isEqualTo(result);
  }

  private static String shown(Dataset<Row> rows) {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    Console$.MODULE$.withOut(
        shown,
        () -> {
          rows.show(false);
          return BoxedUnit.UNIT;
        });
    return shown.toString(StandardCharsets.UTF_8);
  }
}
