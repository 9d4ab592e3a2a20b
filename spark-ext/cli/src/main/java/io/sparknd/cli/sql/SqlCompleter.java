/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;

/** Completes functions, tables, views and SQL keywords. */
final class SqlCompleter implements Completer {
  private static final List<String> WORDS =
      List.of(
          "SELECT",
          "FROM",
          "WHERE",
          "GROUP BY",
          "ORDER BY",
          "LIMIT",
          "JOIN",
          "WITH",
          "AS",
          "TABLE",
          "VALUES",
          "CREATE",
          "INSERT INTO",
          "DROP",
          "DESCRIBE",
          "SHOW TABLES",
          "SHOW FUNCTIONS",
          "EXPLAIN",
          "CALL",
          "SET",
          "CACHE TABLE");

  private final SparkSession spark;
  private @Nullable List<String> functions;

  SqlCompleter(SparkSession spark) {
    this.spark = spark;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    List<String> known = new ArrayList<>(WORDS);
    known.addAll(functions());
    known.addAll(tables());
    String typed = line.word().substring(0, line.wordCursor());
    String prefix = typed.substring(Math.max(typed.lastIndexOf('('), typed.lastIndexOf(',')) + 1);
    String before = typed.substring(0, typed.length() - prefix.length());
    known.stream()
        .filter(word -> startsWith(word, prefix))
        .forEach(
            word ->
                candidates.add(new Candidate(before + word, word, null, null, null, null, true)));
  }

  private static boolean startsWith(String word, String prefix) {
    return word.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT));
  }

  /** Cached, because Spark lists hundreds of functions slowly. */
  private List<String> functions() {
    if (functions == null) {
      functions = names("SHOW FUNCTIONS", 0);
    }
    return functions;
  }

  private List<String> tables() {
    return names("SHOW TABLES", 1);
  }

  private List<String> names(String statement, int column) {
    return spark.sql(statement).collectAsList().stream().map(row -> row.getString(column)).toList();
  }
}
