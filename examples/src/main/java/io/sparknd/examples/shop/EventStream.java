/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import io.sparknd.table.result.TableCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Ingests the events of a day by Structured Streaming.
 *
 * @param folder the input folder
 * @param checkpoint the checkpoint location of the query
 */
public record EventStream(SparkSession spark, String folder, Path checkpoint) {

  /**
   * Ingests every file of the folder, one per micro-batch.
   *
   * @param name the prefix of batch ids
   * @return the commits of the micro-batches
   */
  public List<TableCommit> run(UserFeatures features, String name)
      throws TimeoutException, StreamingQueryException {
    List<TableCommit> commits = Collections.synchronizedList(new ArrayList<>());
    VoidFunction2<Dataset<Row>, Long> ingest =
        (events, batch) -> commits.add(features.ingest(events, name + "/" + batch));
    spark
        .readStream()
        .schema(spark.read().parquet(folder).schema())
        .option("maxFilesPerTrigger", 1)
        .parquet(folder)
        .writeStream()
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .foreachBatch(ingest)
        .start()
        .awaitTermination();
    return List.copyOf(commits);
  }

  /** Simulates a crash after the last commit to the table, before the query recorded it. */
  public void forgetLast(int batch) throws IOException {
    Path commits = checkpoint.resolve("commits");
    Files.delete(commits.resolve(Integer.toString(batch)));
    Files.deleteIfExists(commits.resolve("." + batch + ".crc"));
  }
}
