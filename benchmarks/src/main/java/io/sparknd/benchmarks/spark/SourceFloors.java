/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What any engine has to do at least with the sources and the sink of a benchmark: by Spark, which
 * scans both sources into the sink, and without decoding, which reads the bytes of the files and
 * gives the sink as many rows as the result has. An engine that reads files faster than Spark may
 * take less than the first.
 *
 * @param count the rows of the result
 */
record SourceFloors(int count) {
  /** A table and its updates or lookups, all in files. */
  List<SparkPeer> ofFiles(Supplier<Dataset<Row>> table, Supplier<Dataset<Row>> updates) {
    return List.of(
        new FloorQuery("both sources scanned by Spark", () -> both(table, updates)),
        bytes(
            "both sources' bytes read, without decoding",
            both(table, updates),
            Stream.of(table, updates)));
  }

  /** A table in memory, and updates or lookups in files. */
  List<SparkPeer> ofCached(Supplier<Dataset<Row>> table, Supplier<Dataset<Row>> updates) {
    return List.of(
        new FloorQuery("both sources scanned by Spark, one cached", () -> both(table, updates)),
        bytes(
            "bytes of the updates or lookups read, without decoding",
            both(table, updates),
            Stream.of(updates)));
  }

  /** The rows of both sources; columns that one of them does not have are null there. */
  private static Dataset<Row> both(Supplier<Dataset<Row>> table, Supplier<Dataset<Row>> updates) {
    return updates.get().unionByName(table.get(), true);
  }

  /** Finds the files now, not in each run. */
  private FloorQuery bytes(String name, Dataset<Row> like, Stream<Supplier<Dataset<Row>>> sources) {
    List<String> files = sources.flatMap(source -> Stream.of(source.get().inputFiles())).toList();
    return new FloorQuery(
        name, () -> SourceBytes.rows(like.sparkSession(), files, like.schema(), count));
  }
}
