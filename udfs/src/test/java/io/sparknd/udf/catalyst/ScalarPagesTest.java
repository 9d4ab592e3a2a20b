/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import io.sparknd.docs.TableRow;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of scalar functions have the arguments of the functions, in their order. */
class ScalarPagesTest {
  static List<FunctionDefinition> functions() {
    return TensorFunctions.all();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void listArgumentsInOrder(FunctionDefinition function) {
    List<List<TableRow>> tables = section(function.name()).tables("argument");
    assertThat(tables).as("tables of arguments of %s", function.name()).hasSize(1);
    assertThat(tables.get(0).stream().map(TableRow::name))
        .as("arguments of %s", function.name())
        .containsExactlyElementsOf(function.parameters().stream().map(UdfParameter::name).toList());
  }

  private static Page section(String name) {
    return switch (name) {
      case "scatter_nd" -> page("scalar-scatter").section(name);
      case "gather_nd" -> page("scalar-gather");
      case "scatter_elements", "gather_elements" -> page("scalar-elements").section(name);
      case "nd_shape", "nd_zeros", "nd_reshape" -> page("scalar-shapes").section(name);
      case "nd_decode", "nd_encode" -> page("scalar-bytes").section(name);
      case "scatter_nd_agg" -> page(name);
      default ->
          page("scalar-scatter").section("tensor_scatter_nd_update, _add, _sub, _mul, _min, _max");
    };
  }

  private static Page page(String name) {
    return Page.of("docs/reference/sql/" + name + ".md");
  }
}
