/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Console$;
import scala.runtime.BoxedUnit;

/** The examples in docs/sql.md, under its heading of scalar functions. */
class DocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/sql.md");
  private static final Pattern SECTION =
      Pattern.compile(
          "^## Scalar functions\n(.*?)(?=^## |\\z)", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern EXAMPLE =
      Pattern.compile("```sql\n(.*?)```\n\n```text\n(.*?)```", Pattern.DOTALL);

  static List<Arguments> examples() throws IOException {
    List<Arguments> examples = new ArrayList<>();
    Matcher example = EXAMPLE.matcher(section());
    while (example.find()) {
      examples.add(Arguments.of(example.group(1).strip(), example.group(2).strip()));
    }
    return examples;
  }

  private static String section() throws IOException {
    Matcher section = SECTION.matcher(Files.readString(DOCUMENT));
    assertThat(section.find()).isTrue();
    return section.group(1);
  }

  @Test
  void everyFunctionHasOne() throws IOException {
    String all =
        String.join("\n", examples().stream().map(each -> each.get()[0].toString()).toList());
    assertThat(all)
        .contains(
            "tensor_scatter_nd_update(",
            "tensor_scatter_nd_add(",
            "scatter_nd(",
            "gather_nd(",
            "scatter_elements(",
            "gather_elements(",
            "nd_shape(",
            "nd_zeros(",
            "nd_reshape(",
            "scatter_nd_agg(");
    assertThat(section().split("```sql", -1)).hasSize(examples().size() + 1);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void givesWhatItSays(String statement, String result) {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    Console$.MODULE$.withOut(
        shown,
        () -> {
          LocalSpark.session().sql(statement).show(false);
          return BoxedUnit.UNIT;
        });
    assertThat(shown.toString(StandardCharsets.UTF_8).strip()).isEqualTo(result);
  }
}
