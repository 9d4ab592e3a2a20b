/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * A benchmark whose result is a Dataset.
 *
 * @param result creates the Dataset for each run and runs any jobs that this needs
 */
record Query(String name, Role role, Supplier<Dataset<Row>> result) implements SparkPeer {

  static Query ours(Supplier<Dataset<Row>> result) {
    return new Query("SparkND", Role.OURS, result);
  }

  static Query peer(String name, Supplier<Dataset<Row>> result) {
    return new Query(name, Role.CORRECT, result);
  }

  @Override
  public void run() {
    result.get().write().format("noop").mode("overwrite").save();
  }

  /** Returns a hash of all values by column position, independent of row order. */
  @Override
  public OptionalLong answer() {
    Dataset<Row> rows = result.get();
    Column[] columns = Arrays.stream(rows.columns()).map(rows::col).toArray(Column[]::new);
    Row sums =
        rows.select(functions.xxhash64(columns).as("hash"))
            .agg(functions.bit_xor(functions.col("hash")), functions.count("hash"))
            .head();
    return OptionalLong.of(sums.getLong(0) * 31 + sums.getLong(1));
  }
}
