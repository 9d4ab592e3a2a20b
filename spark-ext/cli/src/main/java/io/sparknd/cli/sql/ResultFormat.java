/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import scala.Console$;
import scala.runtime.BoxedUnit;

/** How rows are shown. */
enum ResultFormat {
  /** Boxes, as {@link Dataset#show} draws them; what a statement tells of itself as it stands. */
  TABLE {
    @Override
    void print(Dataset<Row> rows, int most, PrintWriter out) {
      if (TEXTS.contains(List.of(rows.columns()))) {
        rows.takeAsList(most).forEach(row -> out.print(row.getString(0) + "\n"));
        out.flush();
        return;
      }
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      Console$.MODULE$.withOut(
          text,
          () -> {
            rows.show(most, false);
            return BoxedUnit.UNIT;
          });
      out.print(text.toString(StandardCharsets.UTF_8));
      out.flush();
    }
  },
  /** A line of names, then a line a row, as Spark's own CSV files. */
  CSV {
    @Override
    void print(Dataset<Row> rows, int most, PrintWriter out) {
      Column[] names = Arrays.stream(rows.columns()).map(functions::lit).toArray(Column[]::new);
      Dataset<Row> header = rows.sparkSession().range(1).select(names);
      lines(header.select(functions.to_csv(functions.struct(header.col("*")))), 1, out);
      lines(rows.select(functions.to_csv(functions.struct(rows.col("*")))), most, out);
    }
  },
  /** An object a row, as Spark's own JSON files. */
  JSON {
    @Override
    void print(Dataset<Row> rows, int most, PrintWriter out) {
      lines(rows.select(functions.to_json(functions.struct(rows.col("*")))), most, out);
    }
  };

  /** Columns of {@code EXPLAIN}, {@code DESCRIBE FUNCTION} and {@code SHOW CREATE TABLE}. */
  private static final Set<List<String>> TEXTS =
      Set.of(List.of("plan"), List.of("function_desc"), List.of("createtab_stmt"));

  /**
   * Writes the first {@code most} rows to {@code out}, which is left open. The driver holds a
   * partition of them at a time, {@link #TABLE} all.
   */
  abstract void print(Dataset<Row> rows, int most, PrintWriter out);

  private static void lines(Dataset<Row> text, int most, PrintWriter out) {
    Iterator<String> each = text.limit(most).as(Encoders.STRING()).toLocalIterator();
    each.forEachRemaining(line -> out.print(line + "\n"));
    out.flush();
  }
}
