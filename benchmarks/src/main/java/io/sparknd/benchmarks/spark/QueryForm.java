/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * One way to write a benchmark as a Spark query.
 *
 * @param name the name in the report
 * @param query makes the result from a table and its updates or lookups
 */
record QueryForm(String name, BinaryOperator<Dataset<Row>> query) {

  /** Returns a peer that runs this query on what is supplied at each run. */
  Query on(Supplier<Dataset<Row>> table, Supplier<Dataset<Row>> updates) {
    return Query.peer(name, () -> query.apply(table.get(), updates.get()));
  }
}
