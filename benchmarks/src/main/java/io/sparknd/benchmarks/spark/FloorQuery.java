/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Work that every query of a benchmark has to do at least; its result is not that of the benchmark.
 *
 * @param rows creates the Dataset for each run
 */
record FloorQuery(String name, Supplier<Dataset<Row>> rows) implements SparkPeer {
  @Override
  public Role role() {
    return Role.FLOOR;
  }

  @Override
  public void run() {
    rows.get().write().format("noop").mode("overwrite").save();
  }

  @Override
  public OptionalLong answer() {
    return OptionalLong.empty();
  }
}
