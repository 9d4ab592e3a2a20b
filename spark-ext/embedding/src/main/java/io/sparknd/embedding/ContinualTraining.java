/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.TrainingColumns;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.metrics.SparkNdMetric;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.jspecify.annotations.Nullable;

/**
 * Trains a table with the micro-batches of a stream, one epoch of each, as the function of {@code
 * foreachBatch}:
 *
 * <pre>{@code
 * stream.writeStream()
 *     .foreachBatch(ContinualTraining.of(table, model, columns, FeedOptions.of(8, 512), directory))
 *     .option("checkpointLocation", checkpoints)
 *     .start();
 * }</pre>
 *
 * <p>Each micro-batch is trained exactly once. The table is saved to the directory after every
 * micro-batch, together with its number, before Spark commits it. If the query fails in between and
 * is restarted with its checkpoint location, Spark repeats the micro-batch, which is then skipped.
 * If it was not saved, it is trained again from the table before it, with the same bits. Rows of a
 * micro-batch may come in any order.
 *
 * <p>A directory is for one training; of a restarted or another query, the training goes on with
 * the table that was saved there last. Let one training at a time use it: of two, the first to save
 * goes on, and the other one fails.
 */
public final class ContinualTraining implements VoidFunction2<Dataset<Row>, Long> {
  private static final long serialVersionUID = 1;

  /** The key with which Spark tells jobs the id of their streaming query. */
  private static final String QUERY = "sql.streaming.queryId";

  private final transient EmbeddingTable begin;
  private final StepFunction<FeatureBatch> function;
  private final transient TrainingColumns columns;
  private final FeedOptions options;
  private final transient StreamCheckpoints checkpoints;

  /** The last micro-batch of each query. */
  private final Map<String, Long> batches = new HashMap<>();

  private transient volatile EmbeddingTable current;

  /** The checkpoint of the current table. */
  private transient @Nullable StreamManifest saved;

  private ContinualTraining(
      EmbeddingTable table,
      StepFunction<FeatureBatch> function,
      TrainingColumns columns,
      FeedOptions options,
      StreamCheckpoints checkpoints) {
    this.begin = table;
    this.current = table;
    this.function = function;
    this.columns = columns;
    this.options = options;
    this.checkpoints = checkpoints;
  }

  /**
   * Returns a training that goes on from the last table in {@code directory}; if there is none,
   * from {@code table}, which stays as it is.
   *
   * @param options the options of every micro-batch
   * @param directory a path or URI that the driver and every executor can write to. It has the last
   *     two tables
   * @throws io.sparknd.tensor.SparkNdException if the directory has a table of another
   *     specification, or a file is damaged
   */
  public static ContinualTraining of(
      EmbeddingTable table,
      StepFunction<FeatureBatch> function,
      TrainingColumns columns,
      FeedOptions options,
      String directory) {
    StreamCheckpoints checkpoints = new StreamCheckpoints(table.spark(), directory);
    ContinualTraining training =
        new ContinualTraining(table, function, columns, options, checkpoints);
    checkpoints.last().ifPresent(training::restore);
    return training;
  }

  private void restore(StreamManifest last) {
    replace(checkpoints.load(last, begin));
    saved = last;
    batches.putAll(last.batches());
  }

  private void replace(EmbeddingTable next) {
    EmbeddingTable previous = current;
    current = next;
    if (previous != begin) {
      previous.close();
    }
  }

  /**
   * Trains with a micro-batch and saves the table, unless it was saved with this micro-batch
   * before. A micro-batch without rows changes nothing. All rows are read in each case, as Spark
   * requires of queries with state.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link TrainingFeed#of} and {@link Training#run};
   *     also if another training has saved a table to the directory since this one did, or the
   *     micro-batch is one before the last that the table was saved with
   */
  @Override
  public synchronized void call(Dataset<Row> rows, Long batch) {
    checkpoints.madeByFailedSave().ifPresent(this::restore);
    String query =
        Objects.requireNonNullElse(rows.sparkSession().sparkContext().getLocalProperty(QUERY), "");
    long last = batches.getOrDefault(query, -1L);
    if (batch < last) { // Spark repeats the last one at most
      throw TrainingErrors.olderMicroBatch(batch, last, checkpoints.directory());
    }
    if (batch == last) {
      readAll(rows);
      return;
    }
    Optional<TrainingFeed> feed = TrainingFeed.unlessEmpty(rows, columns, options);
    if (feed.isPresent()) {
      EmbeddingTable next = trained(feed.get());
      Map<String, Long> after = new HashMap<>(batches);
      after.put(query, batch);
      save(next, after);
      checkpoints.deleteOld();
    }
  }

  /** Runs the query of rows that are not used. */
  private static void readAll(Dataset<Row> rows) {
    rows.write().format("noop").mode(SaveMode.Overwrite).save();
  }

  private EmbeddingTable trained(TrainingFeed open) {
    try (TrainingFeed feed = open) {
      return current
          .train(feed.batchesFrom(current.steps()), function)
          .steps(feed.stepsPerEpoch())
          .run()
          .table();
    }
  }

  private void save(EmbeddingTable next, Map<String, Long> after) {
    StreamManifest now = null;
    try {
      now = checkpoints.save(next, after, current, saved);
    } finally {
      if (now == null) {
        next.close();
      }
    }
    saved = now;
    batches.putAll(after);
    replace(next);
    SparkNdMetric.TRAINING_CHECKPOINTS.add(1);
  }

  /**
   * Returns the table after the last micro-batch, also while the next one trains; after that, the
   * training closes it.
   */
  public EmbeddingTable table() {
    return current;
  }
}
