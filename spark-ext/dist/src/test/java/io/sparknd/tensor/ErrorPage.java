/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Generates the documentation page from the list of conditions. */
final class ErrorPage {
  private static final String HEAD =
      """
      # Errors

      Every error of SparkND has a *condition*, such as `SPARKND_DUPLICATE_INDEX.DUPLICATE_SLICE`. This page has, for each
      condition, the message, the cause and the fix. Search it for the name in brackets that stack traces show before the
      message:

      ```text
      io.sparknd.tensor.SparkNdException: [SPARKND_DUPLICATE_INDEX.DUPLICATE_SLICE] index [7] occurs more than once; ...
      ```

      Names between angle brackets stand for values of the message. If a condition groups several errors, a dot and the name
      of the error follow. Handlers of [SQL scripts](sql/README.md#scripts-and-handlers) name the condition before the dot.

      Programs read condition, SQLSTATE and values: in Java from `SparkNdException` (`condition()`, `sqlState()`,
      `parameters()`); in SQL, with Datasets and in PySpark from Spark's error (`getCondition()`, `getSqlState()`,
      `getMessageParameters()`, `getQueryContext()`). An error that Spark finds while it analyzes a statement is an
      `AnalysisException` with the position in the statement, any other an `IllegalArgumentException`, which PySpark has, too. In
      classic PySpark `getQueryContext()` is empty, and the message is `str(error)`: its `getMessage()` asks Spark, which has
      messages for its own conditions only. Over Spark Connect the message begins with the condition in brackets, as Spark's do;
      in clients in Java and Scala `getCondition()` is empty, because they look up the texts of conditions among Spark's. With
      the plugin of the RAPIDS Accelerator, an error of a scalar function is the cause of Spark's error:
      [GPUs](../operate/gpu.md#errors-of-scalar-functions).

      This page is generated from the file `io/sparknd/tensor/error-conditions.json` in SparkND's jar, which has the form of
      Spark's `error-conditions.json`.
      """;

  private ErrorPage() {}

  static String of(JsonNode conditions) {
    StringBuilder page = new StringBuilder(HEAD);
    for (Map.Entry<String, JsonNode> each : conditions.properties()) {
      JsonNode condition = each.getValue();
      JsonNode groups = condition.path("subClass");
      String message = condition.path("message").get(0).asText();
      page.append("\n## ").append(each.getKey()).append("\n\n");
      page.append("SQLSTATE ").append(condition.path("sqlState").asText()).append(". ");
      page.append(groups.isEmpty() ? code(message) : message).append('\n');
      explain(page, condition);
      groups.properties().forEach(sub -> append(page, each.getKey(), sub));
    }
    return page.toString();
  }

  private static void append(StringBuilder page, String group, Map.Entry<String, JsonNode> sub) {
    page.append("\n### ").append(group).append('.').append(sub.getKey()).append("\n\n");
    page.append(code(sub.getValue().path("message").get(0).asText())).append('\n');
    explain(page, sub.getValue());
  }

  private static void explain(StringBuilder page, JsonNode condition) {
    page.append("\n- ").append(line(condition.path("message").get(1))).append('\n');
    page.append("- ").append(line(condition.path("message").get(2))).append('\n');
  }

  /** Returns the text with its first word, "Cause:" or "Fix:", in bold. */
  private static String line(JsonNode text) {
    return text.asText().replaceFirst("^(\\w+:)", "**$1**");
  }

  private static String code(String text) {
    return "`" + text + "`";
  }
}
