/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StringType;
import scala.Console$;
import scala.runtime.BoxedUnit;

/** The output formats for rows. */
enum ResultFormat {
  /**
   * A table as drawn by {@link Dataset#show}. Text such as the output of {@code EXPLAIN} is printed
   * verbatim.
   */
  TABLE {
    @Override
    void print(Dataset<Row> rows, int most, PrintWriter out) {
      if (isText(rows)) {
        rows.takeAsList(most).forEach(row -> out.print(row.getString(0) + "\n"));
        out.flush();
        return;
      }
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      Console$.MODULE$.withOut(
          new PrintStream(text, false, StandardCharsets.UTF_8),
          () -> {
            rows.show(most, false);
            return BoxedUnit.UNIT;
          });
      out.print(text.toString(StandardCharsets.UTF_8));
      out.flush();
    }
  },
  /** A header line, then a line per row, in the format of Spark's CSV files. */
  CSV {
    @Override
    void print(Dataset<Row> rows, int most, PrintWriter out) {
      Column[] names = Arrays.stream(rows.columns()).map(functions::lit).toArray(Column[]::new);
      Dataset<Row> header = rows.sparkSession().range(1).select(names);
      lines(header.select(csv(header)), 1, out);
      lines(rows.select(csv(rows)), most, out);
    }

    private static Column csv(Dataset<Row> rows) {
      return functions.to_csv(functions.struct(rows.col("*")), SPACES);
    }
  },
  /** A JSON object per row, in the format of Spark's JSON files. */
  JSON {
    @Override
    void print(Dataset<Row> rows, int most, PrintWriter out) {
      lines(rows.select(functions.to_json(functions.struct(rows.col("*")))), most, out);
    }
  };

  /** Keeps spaces: a key may begin or end with one. */
  private static final Map<String, String> SPACES =
      Map.of("ignoreLeadingWhiteSpace", "false", "ignoreTrailingWhiteSpace", "false");

  /**
   * The result columns of {@code EXPLAIN}, {@code DESCRIBE FUNCTION} and {@code SHOW CREATE TABLE}.
   */
  private static final Set<List<String>> TEXTS =
      Set.of(List.of("plan"), List.of("function_desc"), List.of("createtab_stmt"));

  /**
   * Writes the first {@code most} rows to {@code out}, which stays open. The driver holds one
   * partition of them at a time; {@link #TABLE} holds all.
   */
  abstract void print(Dataset<Row> rows, int most, PrintWriter out);

  /** Whether the rows are the text of such a command, not a query's rows with the same name. */
  private static boolean isText(Dataset<Row> rows) {
    return TEXTS.contains(List.of(rows.columns()))
        && rows.schema().apply(0).dataType() instanceof StringType
        && ClassicSpark.isCommandResult(rows);
  }

  private static void lines(Dataset<Row> text, int most, PrintWriter out) {
    Iterator<String> each =
        text.limit(Math.max(most, most + 1)).as(Encoders.STRING()).toLocalIterator();
    for (int i = 0; i < most && each.hasNext(); i++) {
      out.print(each.next() + "\n");
    }
    out.flush();
    if (each.hasNext()) {
      System.err.println("only the first " + most + " rows are printed; --rows N prints N");
    }
  }
}
