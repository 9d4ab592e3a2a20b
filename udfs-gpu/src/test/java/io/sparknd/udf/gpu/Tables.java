/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;

/** Tables of tensors for tests with the Accelerator, and function calls on them. */
final class Tables {
  static final List<String> TYPES =
      List.of("TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE");

  private static final int ROWS = 500;
  private static final String INTEGERS = "array(-5, 3, 0, 100, 7, 1, -128)";

  /** Values whose sums depend on the order of addition. */
  private static final String FLOATS =
      "array('0.1', '-0.0', '1e8', '-1e8', '3', '1e-40', 'NaN', '-Infinity')";

  private Tables() {}

  /** Calls that succeed for every row. */
  static List<String> calls() {
    return List.of(
        "tensor_scatter_nd_update(t, i, u)",
        "tensor_scatter_nd_add(t, i, u)",
        "tensor_scatter_nd_sub(t, i, u)",
        "tensor_scatter_nd_mul(t, i, u)",
        "tensor_scatter_nd_min(t, i, u)",
        "tensor_scatter_nd_max(t, o, u, bad_indices => 'ignore')",
        "tensor_scatter_nd_add(t, o, u, bad_indices => 'clip', negative => 'wrap')",
        "tensor_scatter_nd_update(b, i, bu)",
        "tensor_scatter_nd_mul(tensor_scatter_nd_add(t, i, u), i, u)",
        "scatter_nd(i, u, array(s[0], s[1]))",
        "gather_nd(t, i, depth => 1)",
        "gather_nd(t, array(array(0, 0), array(1, 0)))",
        "scatter_elements(t, e, t, 1, 'add')",
        "gather_elements(t, e, 1)",
        "nd_shape(t)",
        "nd_zeros(array(s[0], s[1]))",
        "nd_reshape(t, array(1, -1))");
  }

  /** Calls that fail for some row. */
  static List<String> refused() {
    return List.of(
        "tensor_scatter_nd_update(t, o, u)",
        "scatter_nd(o, u, array(s[0], s[1]))",
        "gather_nd(t, o, depth => 1)",
        "gather_elements(t, e, 0)",
        "tensor_scatter_nd_add(t, i, e)",
        "tensor_scatter_nd_add(ragged, i, u)",
        "tensor_scatter_nd_add(holes, i, u)",
        "nd_reshape(t, array(7, 7))");
  }

  /**
   * Writes a table with tensors of {@code type} and registers it as a view.
   *
   * @return the name of the view
   */
  static String write(SparkSession spark, String type, Path directory) {
    String name = "rows_" + type.toLowerCase(Locale.ROOT);
    String path = directory.resolve(name).toString();
    // one file, so that the first rejected row is always the same
    spark.sql(rows(type)).coalesce(1).write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(name);
    return name;
  }

  private static String rows(String type) {
    return "SELECT id, if(id % 11 = 1, NULL, "
        + matrix("high", "wide", type)
        + ") AS t, if(id % 13 = 2, NULL, "
        + tuples("k * id % 2")
        + ") AS i, if(id % 17 = 3, NULL, "
        + matrix("6L", "wide", type)
        + ") AS u, "
        + tuples("k * id % 8 - 2")
        + " AS o, transform(sequence(1L, high), r ->"
        + " transform(sequence(1L, wide), c -> (r + c * id) % wide)) AS e,"
        + " array(cast(high AS INT), cast(wide AS INT)) AS s,"
        + " transform(sequence(1L, high), r -> (r + id) % 2 = 0) AS b,"
        + " transform(sequence(1L, 6L), r -> (r + id) % 3 = 0) AS bu, "
        + matrix("high", "r", type)
        + " AS ragged, transform("
        + matrix("high", "wide", type)
        + ", r -> transform(r, c -> nullif(c, r[0]))) AS holes,"
        + " array('a') AS words, array(array(0)) AS wi"
        + " FROM (SELECT id, 2 + id % 4 AS high, 1 + id % 3 AS wide FROM range("
        + ROWS
        + "))";
  }

  private static String tuples(String index) {
    return "transform(sequence(1L, 6L), k -> array(" + index + "))";
  }

  private static String matrix(String high, String wide, String type) {
    String values = type.equals("FLOAT") || type.equals("DOUBLE") ? FLOATS : INTEGERS;
    return String.format(
        "transform(sequence(1L, %s), r -> transform(sequence(1L, %s), c -> cast(element_at(%s,"
            + " cast(1 + (5 * r + 3 * c + id * id) %% size(%s) AS INT)) AS %s)))",
        high, wide, values, values, type);
  }
}
