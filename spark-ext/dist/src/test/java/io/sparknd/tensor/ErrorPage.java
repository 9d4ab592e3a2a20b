/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Generates the documentation page from the list of conditions. */
final class ErrorPage {
  private static final String HEAD =
      """
      # Errors

      Whatever SparkND refuses is an error with a *condition*, an SQLSTATE and the values of its message by name: in Java a
      `SparkNdException` (`condition()`, `sqlState()`, `parameters()`), in SQL and with Datasets also one of Spark's
      `SparkThrowable`s (`getCondition()`, `getSqlState()`, `getMessageParameters()`, `getQueryContext()`); in PySpark the same
      names. What Spark refuses while it analyses a statement is an `AnalysisException` with the place in the statement.

      Where a condition groups several errors, a dot and the name of the error follow:
      `SPARKND_DUPLICATE_INDEX.DUPLICATE_SLICE`. Handlers of [SQL scripts](sql/README.md#scripts-and-handlers) name the condition
      alone. Names between angle brackets stand for values.

      This page is made from the file `io/sparknd/tensor/error-conditions.json` in SparkND's jar, which has the form of Spark's
      `error-conditions.json`.
      """;

  private ErrorPage() {}

  static String of(JsonNode conditions) {
    StringBuilder page = new StringBuilder(HEAD);
    for (Map.Entry<String, JsonNode> each : conditions.properties()) {
      JsonNode condition = each.getValue();
      JsonNode lines = condition.path("message");
      page.append("\n## ").append(each.getKey()).append("\n\n");
      page.append("SQLSTATE ").append(condition.path("sqlState").asText()).append(". ");
      boolean groups = condition.has("subClass");
      page.append(groups ? lines.get(0).asText() : code(lines.get(0).asText())).append("\n\n");
      page.append("- ").append(line(lines.get(1))).append('\n');
      page.append("- ").append(line(lines.get(2))).append('\n');
      if (groups) {
        page.append("\n| error | message |\n| --- | --- |\n");
        for (Map.Entry<String, JsonNode> sub : condition.path("subClass").properties()) {
          String message = sub.getValue().path("message").get(0).asText();
          page.append("| ").append(code(sub.getKey())).append(" | ");
          page.append(code(message.replace("|", "\\|"))).append(" |\n");
        }
      }
    }
    return page.toString();
  }

  /** Returns the text with its first word, "Cause:" or "Fix:", in bold. */
  private static String line(JsonNode text) {
    return text.asText().replaceFirst("^(\\w+:)", "**$1**");
  }

  private static String code(String text) {
    return "`" + text + "`";
  }
}
