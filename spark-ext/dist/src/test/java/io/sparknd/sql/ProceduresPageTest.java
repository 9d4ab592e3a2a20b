/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import io.sparknd.docs.TableRow;
import io.sparknd.sql.internal.procedure.ProcedureRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page of procedures has the arguments of each procedure, and the columns that its examples
 * print. {@code UdfDocumentTest} runs the examples.
 */
class ProceduresPageTest {
  private static final Page PAGE = Page.of("docs/reference/procedures.md");

  /** Procedures whose examples need a store or a saved embedding table. */
  private static final Set<String> WITHOUT_EXAMPLE =
      Set.of("publish", "embedding_lookup", "nearest");

  static List<String> procedures() {
    return Arrays.stream(ProcedureRegistry.list(new String[0])).map(Identifier::name).toList();
  }

  @ParameterizedTest
  @MethodSource("procedures")
  void listArgumentsInOrder(String procedure) {
    List<List<TableRow>> tables = PAGE.section(procedure).tables("argument");
    assertThat(tables).hasSize(1);
    assertThat(tables.get(0).stream().map(row -> row.name() + " " + isRequired(row)))
        .containsExactlyElementsOf(
            parameters(procedure).stream()
                .map(parameter -> parameter.name() + " " + isRequired(parameter))
                .toList());
  }

  private static boolean isRequired(TableRow row) {
    return row.cells().get(2).equals("required");
  }

  /** Columns can be a name or an array of names, so some are optional to Spark only. */
  private static boolean isRequired(ProcedureParameter parameter) {
    return parameter.defaultValue() == null || parameter.comment().endsWith("; required");
  }

  private static List<ProcedureParameter> parameters(String procedure) {
    Identifier identifier = Identifier.of(new String[] {ProcedureRegistry.NAMESPACE}, procedure);
    return List.of(ProcedureRegistry.load("nd", identifier).bind(new StructType()).parameters());
  }

  @ParameterizedTest
  @MethodSource("procedures")
  void listColumnsThatExamplesPrint(String procedure) {
    Page section = PAGE.section(procedure);
    List<List<String>> listed = listed(section);
    assertThat(listed).as("tables of output columns").isNotEmpty();
    if (!WITHOUT_EXAMPLE.contains(procedure)) {
      List<List<String>> printed =
          section.blocks("sql").stream()
              .flatMap(block -> columns(block, procedure).stream())
              .toList();
      assertThat(printed).containsAll(listed);
      assertThat(printed)
          .allSatisfy(
              columns ->
                  assertThat(listed)
                      .anySatisfy(
                          all -> assertThat(all).startsWith(columns.toArray(String[]::new))));
    }
  }

  private static List<List<String>> listed(Page section) {
    List<List<TableRow>> tables = new ArrayList<>(section.tables("column"));
    if (section.links().contains("#output-of-a-commit")) {
      tables.addAll(PAGE.section("Output of a commit").tables("column"));
    }
    return tables.stream().map(rows -> rows.stream().map(TableRow::name).toList()).toList();
  }

  /** Returns the printed columns, if the last statement of a block calls the procedure. */
  private static Optional<List<String>> columns(Block block, String procedure) {
    String[] statements = block.text().split(";\n");
    if (!statements[statements.length - 1].startsWith("CALL nd.system." + procedure + "(")) {
      return Optional.empty();
    }
    String header = block.printed().orElseThrow().lines().skip(1).findFirst().orElseThrow();
    return Optional.of(
        Arrays.stream(header.substring(1).split("\\|"))
            .map(name -> name.replace("...", "").strip())
            .toList());
  }
}
