/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import io.sparknd.table.TensorCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Ingests the events of a day by Structured Streaming.
 *
 * @param folder the input folder
 * @param checkpoint the checkpoint location of the query
 */
public record EventStream(SparkSession spark, String folder, Path checkpoint) {
  private static final String CATALOG = "spark.sql.catalog.lake";

  /**
   * Ingests every file of the folder that the checkpoint does not record, one per micro-batch.
   *
   * @param name the prefix of batch ids in other catalogs than a {@link TensorCatalog}
   * @return the number of commits to the table
   */
  public long run(UserFeatures features, String name)
      throws TimeoutException, StreamingQueryException {
    long before = snapshots();
    StreamingQuery query = isTensorCatalog() ? append() : handOver(features, name);
    query.awaitTermination();
    return snapshots() - before;
  }

  /**
   * Whether rows that are appended are scattered; in other catalogs they are stored as they are.
   */
  private boolean isTensorCatalog() {
    return spark.conf().get(CATALOG).equals(TensorCatalog.class.getName());
  }

  private StreamingQuery append() throws TimeoutException {
    return writer(UserFeatures.updates(events())).toTable(UserFeatures.NAME);
  }

  private StreamingQuery handOver(UserFeatures features, String name) throws TimeoutException {
    VoidFunction2<Dataset<Row>, Long> ingest =
        (events, batch) -> features.ingest(events, name + "/" + batch);
    return writer(events()).foreachBatch(ingest).start();
  }

  private Dataset<Row> events() {
    return spark
        .readStream()
        .schema(spark.read().parquet(folder).schema())
        .option("maxFilesPerTrigger", 1)
        .parquet(folder);
  }

  private DataStreamWriter<Row> writer(Dataset<Row> rows) {
    return rows.writeStream()
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow());
  }

  private long snapshots() {
    return spark.table(UserFeatures.NAME + ".snapshots").count();
  }

  /** Simulates a crash after the last commit to the table, before the query recorded it. */
  public void forgetLast(long batch) throws IOException {
    Path commits = checkpoint.resolve("commits");
    Files.delete(commits.resolve(Long.toString(batch)));
    Files.deleteIfExists(commits.resolve("." + batch + ".crc"));
  }
}
