/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import static org.apache.spark.sql.functions.bit_xor;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max_by;
import static org.apache.spark.sql.functions.xxhash64;

import io.sparknd.benchmarks.table.Change.Reduction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The expected contents of tables, computed by plain Spark from the inputs: the exclusive or of row
 * hashes. The hash of an updated table is the initial hash, without the old and with the new
 * versions of updated rows.
 */
final class TableOracle {
  /** Hashes the rows of any table {@code (i0, value)}; reads every byte. */
  static final String QUERY = "SELECT count(*), coalesce(bit_xor(xxhash64(i0, value)), 0) FROM ";

  private final TableInputs inputs;
  private final Map<String, Long> first = new HashMap<>();

  TableOracle(TableInputs inputs) {
    this.inputs = inputs;
  }

  /**
   * @param commits the number of commits, with seeds 1, 2, ...; the last update of a row wins
   */
  long hash(Change change, int commits) {
    Dataset<Row> last =
        IntStream.rangeClosed(1, commits)
            .mapToObj(
                seed -> inputs.updates(change, change.layout(), seed).withColumn("seed", lit(seed)))
            .reduce(Dataset::union)
            .orElseThrow()
            .groupBy("i0")
            .agg(max_by(col("value"), col("seed")).as("value"));
    Dataset<Row> rows = last.withColumn("base", TableInputs.base(change.layout(), col("i0")));
    Column now =
        change.reduction() == Reduction.NONE ? col("value") : expr(Layout.sum("base", "value"));
    Row changes =
        rows.agg(xor(xxhash64(col("i0"), col("base"))), xor(xxhash64(col("i0"), now)), count("i0"))
            .head();
    return first(change) ^ changes.getLong(0) ^ changes.getLong(1);
  }

  private long first(Change change) {
    return first.computeIfAbsent(
        change.layout() + "-" + change.rows(),
        key ->
            inputs
                .table(change.layout(), change.rows(), change.rows() / 8)
                .agg(xor(xxhash64(col("i0"), col("value"))))
                .head()
                .getLong(0));
  }

  private static Column xor(Column hash) {
    return coalesce(bit_xor(hash), lit(0L));
  }

  /**
   * @throws IllegalStateException if the table holds other rows
   */
  static void check(String who, Change change, long expected, List<Row> answer) {
    Row row = answer.get(0);
    if (row.getLong(0) != change.rows() || row.getLong(1) != expected) {
      throw new IllegalStateException(change.id() + ": " + who + " holds unexpected rows: " + row);
    }
  }
}
