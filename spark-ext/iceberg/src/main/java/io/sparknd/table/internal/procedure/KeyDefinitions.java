/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.options.FeatureTableSpec.KeyField;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Reads definitions of key columns as in {@code CREATE TABLE}, such as {@code 'id UUID, day DATE'}.
 * Spark's parser has no type uuid, so it reads {@code STRING} in its place.
 */
final class KeyDefinitions {
  private static final Pattern TOKEN =
      Pattern.compile(
          "--[^\\n]*|/\\*.*?\\*/"
              + "|`(?:[^`]|``)*`|'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\""
              + "|(?:(?!--|/\\*)[^\\s,:()<>`'\"])+|[,()<>]",
          Pattern.DOTALL);
  private static final String UUID = "uuid";
  private static final String DEFAULT = "default";

  private final StringBuilder sql = new StringBuilder();
  private final List<Boolean> areUuids = new ArrayList<>(List.of(false));
  private String column = "";
  private int words;
  private int depth;

  private KeyDefinitions() {}

  /**
   * Returns the columns of a text. Text that is no list of definitions is an error of Spark.
   *
   * @throws io.sparknd.tensor.SparkNdException if a column has a default
   */
  static List<KeyField> parse(String text) {
    KeyDefinitions definitions = new KeyDefinitions();
    Matcher tokens = TOKEN.matcher(text);
    while (tokens.find()) {
      tokens.appendReplacement(
          definitions.sql, Matcher.quoteReplacement(definitions.replaced(tokens.group())));
    }
    tokens.appendTail(definitions.sql);
    return definitions.fields();
  }

  private String replaced(String token) {
    if (token.startsWith("--") || token.startsWith("/*")) {
      return token;
    }
    switch (token) {
      case "(", "<" -> depth++;
      case ")", ">" -> depth--;
      case "," -> nextColumn();
      default -> {
        words++;
        if (depth == 0 && words > 2 && token.equalsIgnoreCase(DEFAULT)) {
          throw FeatureErrors.keyDefault(column);
        }
        if (words == 1) {
          column = token;
        }
        if (depth == 0 && words == 2 && token.equalsIgnoreCase(UUID)) {
          areUuids.set(areUuids.size() - 1, true);
          return "STRING";
        }
      }
    }
    return token;
  }

  private void nextColumn() {
    if (depth == 0) {
      areUuids.add(false);
      words = 0;
    }
  }

  private List<KeyField> fields() {
    StructField[] columns = StructType.fromDDL(sql.toString()).fields();
    List<KeyField> fields = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      String type = areUuids.get(i) ? UUID : columns[i].dataType().sql();
      fields.add(new KeyField(columns[i].name(), type));
    }
    return fields;
  }
}
