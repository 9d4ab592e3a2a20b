/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.SneakyThrow;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each micro-batch of a stream is trained once, whatever stops the query. */
class ContinualTrainingTest {
  static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(300, 4, Optimizer.adam(0.05))
          .withInitializer(Initializer.uniform(-1, 1, 5))
          .withPartitions(2);
  private static final FeedOptions OPTIONS = FeedOptions.of(2, 8).withSeed(3);
  private static final int FILES = 3;

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  @BeforeEach
  void writeInput() throws IOException {
    writeInput(directory.resolve("input"), FILES);
  }

  static void writeInput(Path input, int files) throws IOException {
    Files.createDirectories(input);
    for (int file = 0; file < files; file++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 20 + 7 * file; i++) {
        lines.add("{\"one\": %d, \"other\": %d}".formatted((i * 7 + file) % 290, i * i % 290));
      }
      Path path = Files.write(input.resolve("%03d.json".formatted(file)), lines);
      assertThat(path.toFile().setLastModified(1_000_000_000_000L + file * 1000L)).isTrue();
    }
  }

  static ContinualTraining training(SparkSession spark, Path models) {
    return ContinualTraining.of(
        EmbeddingTable.create(spark, SPEC),
        new RowPulls(new Pulls(300, 3)),
        RowPulls.COLUMNS,
        OPTIONS,
        models.toString());
  }

  /** Runs a query over all files that are left, one in each micro-batch. */
  static void stream(
      SparkSession spark, Path input, Path checkpoint, VoidFunction2<Dataset<Row>, Long> function)
      throws TimeoutException, StreamingQueryException {
    stream(spark, input, checkpoint, function, rows -> rows);
  }

  private static void stream(
      SparkSession spark,
      Path input,
      Path checkpoint,
      VoidFunction2<Dataset<Row>, Long> function,
      UnaryOperator<Dataset<Row>> query)
      throws TimeoutException, StreamingQueryException {
    Dataset<Row> files =
        spark
            .readStream()
            .schema("one bigint, other bigint")
            .option("maxFilesPerTrigger", 1)
            .json(input.toString());
    StreamingQuery started =
        query
            .apply(files)
            .writeStream()
            .foreachBatch(function)
            .option("checkpointLocation", checkpoint.toString())
            .trigger(Trigger.AvailableNow())
            .start();
    started.awaitTermination();
  }

  private void stream(String checkpoint, VoidFunction2<Dataset<Row>, Long> function)
      throws TimeoutException, StreamingQueryException {
    stream(spark, directory.resolve("input"), directory.resolve(checkpoint), function);
  }

  /** Trains one epoch of each file, without a stream. */
  static Tensor expected(SparkSession spark, Path input, int files) {
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    for (int file = 0; file < files; file++) {
      Dataset<Row> rows =
          spark
              .read()
              .schema("one bigint, other bigint")
              .json(input.resolve("%03d.json".formatted(file)).toString())
              .repartition(3);
      try (TrainingFeed feed = TrainingFeed.of(rows, RowPulls.COLUMNS, OPTIONS)) {
        table =
            table
                .train(feed.batchesFrom(table.steps()), new RowPulls(new Pulls(300, 3)))
                .steps(feed.stepsPerEpoch())
                .run()
                .table();
      }
    }
    return table.weights().collect();
  }

  private void assertTrained(ContinualTraining training) throws IOException {
    Tensor expected = expected(spark, directory.resolve("input"), FILES);
    TensorAssert.assertSameBits(training.table().weights().collect(), expected);
    ContinualTraining again = training(spark, directory.resolve("models"));
    TensorAssert.assertSameBits(again.table().weights().collect(), expected);
    assertFilesOfTwoCheckpoints();
  }

  private void assertFilesOfTwoCheckpoints() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("models"))) {
      assertThat(files.map(path -> path.getFileName().toString().replaceAll("-.*", "")))
          .filteredOn(name -> !name.startsWith("."))
          .containsExactlyInAnyOrder("stream", "stream", "table", "table");
    }
  }

  @Test
  void queryStoppedBetweenTrainingAndCommitIsRestarted() throws Exception {
    ContinualTraining training = training(spark, directory.resolve("models"));
    assertThatThrownBy(
            () ->
                stream(
                    "query",
                    (rows, batch) -> {
                      training.call(rows, batch);
                      stopAt(batch);
                    }))
        .hasMessageContaining("stopped");
    ContinualTraining restarted = training(spark, directory.resolve("models"));
    long steps = restarted.table().steps();
    assertThat(steps).isEqualTo(training.table().steps()).isPositive();
    List<Long> batches = new ArrayList<>();
    List<Long> stepsAfter = new ArrayList<>();
    stream(
        "query",
        (rows, batch) -> {
          restarted.call(rows, batch);
          batches.add(batch);
          stepsAfter.add(restarted.table().steps());
        });
    assertThat(batches).containsExactly(1L, 2L);
    assertThat(stepsAfter.get(0)).as("steps after the repeated micro-batch").isEqualTo(steps);
    assertTrained(restarted);
  }

  /** A model whose steps begin only when the query has been stopped. */
  private record Waiting(RowPulls model) implements StepFunction<FeatureBatch> {
    private static final CountDownLatch BEGUN = new CountDownLatch(1);
    private static final CountDownLatch STOPPED = new CountDownLatch(1);

    @Override
    public long[] ids(FeatureBatch batch) {
      return model.ids(batch);
    }

    @Override
    public Loss step(FeatureBatch batch, EmbeddingRows rows) {
      BEGUN.countDown();
      try {
        STOPPED.await();
      } catch (InterruptedException e) {
        throw SneakyThrow.thrown(e);
      }
      return model.step(batch, rows);
    }
  }

  /** Spark takes an InterruptedException for the end of a query, and other errors for a failure. */
  @Test
  void queryStoppedWhileTrainingHasNotFailed() throws Exception {
    ContinualTraining training =
        ContinualTraining.of(
            EmbeddingTable.create(spark, SPEC),
            new Waiting(new RowPulls(new Pulls(300, 3))),
            RowPulls.COLUMNS,
            OPTIONS,
            directory.resolve("models").toString());
    StreamingQuery query =
        spark
            .readStream()
            .schema("one bigint, other bigint")
            .json(directory.resolve("input").toString())
            .writeStream()
            .foreachBatch(training)
            .option("checkpointLocation", directory.resolve("query").toString())
            .start();
    try {
      assertThat(Waiting.BEGUN.await(60, TimeUnit.SECONDS)).isTrue();
      // others may use the last table meanwhile
      assertThat(CompletableFuture.supplyAsync(training::table))
          .succeedsWithin(Duration.ofSeconds(30));
      query.stop();
    } finally {
      Waiting.STOPPED.countDown();
    }
    assertThat(query.exception().isEmpty()).as(query.exception().toString()).isTrue();
    assertThat(training.table().steps()).isZero();
  }

  @Tag("slow")
  @Test
  void queryStoppedBeforeTrainingIsRestarted() throws Exception {
    ContinualTraining training = training(spark, directory.resolve("models"));
    assertThatThrownBy(
            () ->
                stream(
                    "query",
                    (rows, batch) -> {
                      stopAt(batch);
                      training.call(rows, batch);
                    }))
        .hasMessageContaining("stopped");
    stream("query", training);
    assertTrained(training);
  }

  private static void stopAt(long batch) {
    if (batch == 1) {
      throw new IllegalStateException("stopped");
    }
  }

  /** A query with a new checkpoint location counts its micro-batches from 0. */
  @Tag("slow")
  @Test
  void anotherQueryIsTrainedAfterTheFirst() throws Exception {
    ContinualTraining training = training(spark, directory.resolve("models"));
    stream("query", training);
    long steps = training.table().steps();
    stream("other", training);
    assertThat(training.table().steps()).isEqualTo(2 * steps);
  }

  @Test
  void emptyMicroBatchesAndOtherTables() throws Exception {
    ContinualTraining training = training(spark, directory.resolve("models"));
    Dataset<Row> none = spark.sql("SELECT 1L AS one, 1L AS other").where("false");
    training.call(none, 0L);
    assertThat(training.table().steps()).isZero();
    training.call(spark.sql("SELECT 1L AS one, 2L AS other"), 1L);
    assertThat(training.table().steps()).isOne();
    EmbeddingTable other =
        EmbeddingTable.create(spark, EmbeddingSpec.of(300, 5, Optimizer.adam(0.05)));
    assertThatThrownBy(
            () ->
                ContinualTraining.of(
                    other,
                    new RowPulls(new Pulls(300, 3)),
                    RowPulls.COLUMNS,
                    OPTIONS,
                    directory.resolve("models").toString()))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("another directory");
  }

  /** Spark loses the state of a query whose micro-batch is not read to the end. */
  @Tag("slow")
  @Test
  void repeatedMicroBatchOfAQueryWithState() throws Exception {
    ContinualTraining training = training(spark, directory.resolve("models"));
    assertThatThrownBy(
            () ->
                distinct(
                    (rows, batch) -> {
                      training.call(rows, batch);
                      stopAt(batch);
                    }))
        .hasMessageContaining("stopped");
    long steps = training.table().steps();
    List<Long> stepsAfter = new ArrayList<>();
    distinct(
        (rows, batch) -> {
          training.call(rows, batch);
          stepsAfter.add(training.table().steps());
        });
    assertThat(stepsAfter).hasSizeGreaterThan(1).startsWith(steps);
  }

  private void distinct(VoidFunction2<Dataset<Row>, Long> function) throws Exception {
    stream(
        spark,
        directory.resolve("input"),
        directory.resolve("distinct"),
        function,
        rows -> rows.dropDuplicates("one", "other"));
  }

  @Test
  void trainingGoesOnIfOldTablesCannotBeDeleted() throws Exception {
    ContinualTraining training = training(spark, directory.resolve("models"));
    Dataset<Row> rows = spark.sql("SELECT 1L AS one, 2L AS other");
    training.call(rows, 0L);
    training.call(rows, 1L);
    Path oldest = directory.resolve("models").resolve("stream-%019d.json".formatted(1));
    String manifest = Files.readString(oldest);
    Files.writeString(oldest, "damaged");
    training.call(rows, 2L);
    training.call(rows, 2L);
    assertThat(training.table().steps()).isEqualTo(3);
    Files.writeString(oldest, manifest);
    training.call(rows, 3L);
    assertThat(training.table().steps()).isEqualTo(4);
    assertThat(training(spark, directory.resolve("models")).table().steps()).isEqualTo(4);
    assertThat(oldest).doesNotExist();
  }

  /** A checkpoint location that is older than the table has other rows in the same numbers. */
  @Test
  void aMicroBatchBeforeTheLastOneIsAnError() {
    ContinualTraining training = training(spark, directory.resolve("models"));
    Dataset<Row> rows = spark.sql("SELECT 1L AS one, 2L AS other");
    training.call(rows, 3L);
    training.call(rows, 3L);
    assertThat(training.table().steps()).isOne();
    assertThatThrownBy(() -> training(spark, directory.resolve("models")).call(rows, 2L))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("micro-batch 2")
        .hasMessageContaining("its micro-batch 3");
    training.call(rows, 4L);
    assertThat(training.table().steps()).isEqualTo(2);
  }

  @Test
  void twoTrainingsInOneDirectoryAreAnError() {
    ContinualTraining one = training(spark, directory.resolve("models"));
    ContinualTraining other = training(spark, directory.resolve("models"));
    Dataset<Row> rows = spark.sql("SELECT 1L AS one, 2L AS other");
    one.call(rows, 0L);
    one.call(rows, 1L);
    assertThatThrownBy(() -> other.call(rows, 0L))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has a table of 2 steps");
    assertThat(training(spark, directory.resolve("models")).table().steps()).isEqualTo(2);
  }

  /** A local file system in which another program comes between, once. */
  public static final class Interrupted extends RawLocalFileSystem {
    private static final AtomicReference<Runnable> AT_CREATE = new AtomicReference<>();
    private static final AtomicReference<Runnable> AT_RENAME = new AtomicReference<>();
    private static final AtomicReference<Runnable> AT_OPEN = new AtomicReference<>();

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path path, int buffer) throws IOException {
      interrupt(AT_OPEN, new org.apache.hadoop.fs.Path(path.getParent(), "." + path.getName()));
      return super.open(path, buffer);
    }

    @Override
    public URI getUri() {
      return URI.create("interrupted:///");
    }

    @Override
    public FSDataOutputStream create(
        org.apache.hadoop.fs.Path path,
        boolean overwrite,
        int buffer,
        short replication,
        long block,
        Progressable progress)
        throws IOException {
      interrupt(AT_CREATE, path);
      return super.create(path, overwrite, buffer, replication, block, progress);
    }

    @Override
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      interrupt(AT_RENAME, from);
      return super.rename(from, to);
    }

    private static void interrupt(
        AtomicReference<Runnable> program, org.apache.hadoop.fs.Path path) {
      Runnable due = path.getName().startsWith(".stream-") ? program.getAndSet(null) : null;
      if (due != null) {
        due.run();
      }
    }
  }

  @AfterEach
  void clearInterrupts() {
    Interrupted.AT_CREATE.set(null);
    Interrupted.AT_RENAME.set(null);
    Interrupted.AT_OPEN.set(null);
  }

  private ContinualTraining interrupted() {
    spark
        .sparkContext()
        .hadoopConfiguration()
        .set("fs.interrupted.impl", Interrupted.class.getName());
    return ContinualTraining.of(
        EmbeddingTable.create(spark, SPEC),
        new RowPulls(new Pulls(300, 3)),
        RowPulls.COLUMNS,
        OPTIONS,
        "interrupted://" + directory.resolve("models"));
  }

  /** Both have found no other table before they save theirs, which have 1 and 2 steps. */
  @Test
  void ofTwoTrainingsThatSaveAtOnceOneFails() throws IOException {
    ContinualTraining one = interrupted();
    ContinualTraining other = interrupted();
    Dataset<Row> few = spark.sql("SELECT 1L AS one, 2L AS other");
    Dataset<Row> many = spark.range(30).selectExpr("id AS one", "id + 3 AS other");
    Interrupted.AT_CREATE.set(() -> other.call(many, 0L));
    assertThatThrownBy(() -> one.call(few, 0L))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has a table of " + other.table().steps() + " steps")
        .hasMessageContaining("this one had 0 steps");
    assertThat(one.table().steps()).isZero();
    other.call(few, 1L);
    long steps = other.table().steps();
    assertThat(steps).isGreaterThan(2);
    TensorAssert.assertSameBits(
        interrupted().table().weights().collect(), other.table().weights().collect());
    assertFilesOfTwoCheckpoints();
  }

  /** The checkpoint that the slow one would have written is deleted meanwhile. */
  @Test
  void aTrainingThatWasOvertakenFails() throws IOException {
    ContinualTraining one = interrupted();
    ContinualTraining other = interrupted();
    Dataset<Row> rows = spark.sql("SELECT 1L AS one, 2L AS other");
    Interrupted.AT_CREATE.set(
        () -> {
          for (long batch = 0; batch < 3; batch++) {
            other.call(rows, batch);
          }
        });
    assertThatThrownBy(() -> one.call(rows, 0L))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has a table of 3 steps");
    assertThat(one.table().steps()).isZero();
    other.call(rows, 3L);
    assertThat(interrupted().table().steps()).isEqualTo(4);
    assertFilesOfTwoCheckpoints();
  }

  /** Some file systems replace files when they rename. */
  @Test
  void aTrainingWhoseCheckpointIsReplacedFails() {
    ContinualTraining one = interrupted();
    ContinualTraining other = interrupted();
    Dataset<Row> rows = spark.sql("SELECT 1L AS one, 2L AS other");
    Interrupted.AT_RENAME.set(() -> other.call(rows, 0L));
    one.call(rows, 0L);
    assertThatThrownBy(() -> other.call(rows, 1L))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has a table of 1 steps that another training saved");
    one.call(rows, 1L);
    assertThat(interrupted().table().steps()).isEqualTo(2);
  }

  /** The save was made: its micro-batch is not trained again, and not that of another training. */
  @Test
  void aSaveThatCannotBeReadBackIsFoundByTheNextCall() {
    ContinualTraining training = interrupted();
    Dataset<Row> rows = spark.sql("SELECT 1L AS one, 2L AS other");
    Interrupted.AT_OPEN.set(
        () -> {
          throw SneakyThrow.thrown(new IOException("the store is busy"));
        });
    assertThatThrownBy(() -> training.call(rows, 0L)).hasStackTraceContaining("the store is busy");
    training.call(rows, 0L);
    assertThat(training.table().steps()).isOne();
    training.call(rows, 1L);
    assertThat(interrupted().table().steps()).isEqualTo(2);
  }

  /** A query that is restarted on its own would leave one at each attempt. */
  @Test
  void aSaveThatFailsLeavesNoTable() {
    ContinualTraining training = interrupted();
    Dataset<Row> rows = spark.sql("SELECT 1L AS one, 2L AS other");
    Interrupted.AT_RENAME.set(
        () -> {
          throw SneakyThrow.thrown(new IOException("the disk is full"));
        });
    assertThatThrownBy(() -> training.call(rows, 0L))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("the disk is full");
    assertThat(directory.resolve("models").toFile().list()).isEmpty();
    training.call(rows, 0L);
    assertThat(interrupted().table().steps()).isOne();
  }
}
