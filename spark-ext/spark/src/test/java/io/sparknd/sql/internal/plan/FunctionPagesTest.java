/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import io.sparknd.docs.TableRow;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of table functions have the arguments of the functions, in their order. */
class FunctionPagesTest {
  static List<TableFunction> functions() {
    return TableFunctions.all();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void listArgumentsInOrder(TableFunction function) {
    Page page = page(function);
    List<String> names = function.parameters().stream().map(FunctionParameter::name).toList();
    assertThat(page.tables("argument")).hasSize(1);
    assertThat(page.tables("argument").get(0).stream().map(TableRow::name))
        .as("arguments in %s", page)
        .containsExactlyElementsOf(names);
    String signature = page.blocks().get(0).text();
    assertThat(signature.split("\\W+")).as("signature in %s", page).containsSubsequence(names);
  }

  @ParameterizedTest
  @MethodSource("functions")
  void haveAnExampleInEachLanguage(TableFunction function) {
    Page page = page(function);
    for (String language : List.of("sql", "java", "python")) {
      assertThat(page.blocks(language)).as("%s in %s", language, page).isNotEmpty();
    }
  }

  private static Page page(TableFunction function) {
    String name = function instanceof TensorScatterFunction ? "tensor_scatter_nd" : function.name();
    return Page.of("docs/reference/sql/" + name + ".md");
  }
}
