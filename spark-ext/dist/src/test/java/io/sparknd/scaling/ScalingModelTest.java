/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorTable;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.reflect.ClassTag$;

/**
 * The formulas of {@code docs/explanation/scaling.md} give what Spark and Iceberg count at small
 * sizes. Shuffles are not compressed here.
 */
@Tag("slow")
class ScalingModelTest {
  /** What a batch in memory takes beside its arrays, by its own count. */
  private static final int IN_MEMORY_BYTES = 64;

  private static final int CORES = 2;
  private static final int DIM = 16;
  private static final long SLICE = DIM * Float.BYTES;
  private static final long ROWS = 1 << 14;
  private static final TensorColumns COLUMNS = TensorColumns.of("v", "id");

  @TempDir private static Path directory;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    SparkSession.builder()
        .master("local[1]")
        .config("spark.ui.enabled", false)
        .getOrCreate()
        .stop();
    spark =
        SparkSession.builder()
            // with retries, local mode trains by a job a step, as a cluster does
            .master("local[" + CORES + ",2]")
            .config("spark.ui.enabled", false)
            .config("spark.shuffle.compress", false)
            .config("spark.sql.shuffle.partitions", CORES)
            .getOrCreate();
    LocalCatalog.addTo(spark, "scaling", directory.resolve("lake"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Returns rows of distinct ids, spread over the table. */
  private static Dataset<Row> ids(long count, int tasks) {
    return spark.range(0, count, 1, tasks).selectExpr("id * 7919 % " + ROWS + " AS id");
  }

  private static Dataset<Row> updates(long count, int tasks) {
    return ids(count, tasks).selectExpr("id", "array_repeat(1F, " + DIM + ") AS v");
  }

  private static StageCounts counted(Runnable action) throws Exception {
    SparkContext context = spark.sparkContext();
    return StageCounts.of(context, action);
  }

  private static void assertFits(StageCounts counts, ShuffleScale model) {
    assertThat(counts.records())
        .isBetween(Math.min(model.rows(), model.pairs()) / 2, model.mostBatches());
    assertThat(counts.bytes())
        .isEqualTo(model.bytes() + ShuffleScale.HEADER_BYTES * counts.records())
        .isCloseTo(model.mostWritten(), withPercentage(5));
  }

  @ParameterizedTest
  @CsvSource({"16000, 2, 4", "16000, 8, 64", "4000, 4, 700"})
  void scatterSendsEachUpdateOnce(long count, int tasks, int partitions) throws Exception {
    DistributedTensor tensor = tensor(partitions);
    StageCounts counts =
        counted(() -> tensor.scatter(Scatter.add(), updates(count, tasks), COLUMNS).close());
    ShuffleScale model = ShuffleScale.ofUpdates(count, SLICE, tasks, partitions);
    assertFits(counts, model);
    assertThat(counts.tasks()).isEqualTo(model.tasks());
    assertThat(counts.jobs()).isEqualTo(1);
  }

  private static DistributedTensor tensor(int partitions) {
    return DistributedTensor.zeros(
        spark, DType.FLOAT32, Shape.of(ROWS, DIM), new Partitioning(partitions, (int) SLICE));
  }

  @ParameterizedTest
  @CsvSource({"16000, 2, 4", "16000, 8, 64", "4000, 4, 700"})
  void gatherSendsEachIndexRowOnce(long count, int tasks, int partitions) throws Exception {
    DistributedTensor tensor = tensor(partitions).withStrategy(GatherStrategy.SHUFFLE_INDICES);
    StageCounts counts =
        counted(() -> discard(tensor.gather(Gather.strict(), ids(count, tasks), List.of("id"))));
    ShuffleScale model = ShuffleScale.ofIndexRows(count, 16, tasks, partitions);
    assertFits(counts, model);
    assertThat(counts.tasks()).isEqualTo(model.tasks());
  }

  private static void discard(Dataset<Row> rows) {
    rows.write().format("noop").mode("overwrite").save();
  }

  @ParameterizedTest
  @CsvSource({"8, 3000", "64, 300"})
  void commitIntoATensorTableAddsAFileForEachBlock(int blocks, long updates) throws Exception {
    String name = "scaling.t.tensor%d_%d".formatted(blocks, updates);
    TensorSpec spec = TensorSpec.of(DType.FLOAT32, Shape.of(ROWS, DIM));
    TensorTable table = TensorTable.create(spark, name, spec.withRowsPerBlock(ROWS / blocks));
    table.scatter(Scatter.update(), updates(ROWS, CORES), COLUMNS);
    CommitScale model = CommitScale.of(ROWS, blocks, updates, SLICE, CORES);
    long objects = objects(name);
    StageCounts counts = counted(() -> add(table, updates(updates, CORES)));
    ShuffleScale shuffle = ShuffleScale.ofUpdates(updates, SLICE, CORES, model.tasks());
    assertFits(counts, shuffle);
    assertThat(counts.tasks()).isEqualTo(shuffle.tasks());
    assertThat(objects(name) - objects).isEqualTo(model.newObjects());
    assertWritten(name, model, 1);
    add(table, laterUpdates(updates, 1));
    add(table, laterUpdates(updates, 2));
    assertWritten(name, model, 3);
    assertPlan(name, model, 3);
    assertThat(counted(() -> discard(gathered(table))).tasks()).isEqualTo(2L * CORES);
  }

  private static void add(TensorTable table, Dataset<Row> updates) {
    table.scatter(Scatter.add(), updates, COLUMNS);
  }

  private static Dataset<Row> gathered(TensorTable table) {
    return table.gather(Gather.strict(), ids(100, CORES), List.of("id"));
  }

  /** With many deleted rows, each task writes a file of deletion vectors. */
  @Test
  void tasksWriteLargeDeletionVectors() {
    long rows = 1 << 19;
    int blocks = 8;
    long updates = 300_000;
    String name = "scaling.t.cells";
    TensorSpec spec = TensorSpec.of(DType.FLOAT32, Shape.of(rows));
    TensorTable table = TensorTable.create(spark, name, spec.withRowsPerBlock(rows / blocks));
    Dataset<Row> cells = spark.range(0, rows, 1, CORES).selectExpr("id", "1F AS v");
    table.scatter(Scatter.update(), cells, COLUMNS);
    long objects = objects(name);
    add(table, cells.selectExpr("id * 7919 % " + rows + " AS id", "v").limit((int) updates));
    CommitScale model = CommitScale.of(rows, blocks, updates, Float.BYTES, CORES);
    assertThat(model.vectorFiles()).isEqualTo(CORES);
    assertThat(objects(name) - objects).isEqualTo(model.newObjects());
    assertWritten(name, model, 1);
  }

  /** Returns updates of rows that no commit before named. */
  private static Dataset<Row> laterUpdates(long count, int commits) {
    return spark
        .range(commits * count, (commits + 1) * count, 1, CORES)
        .selectExpr("id * 7919 % " + ROWS + " AS id", "array_repeat(1F, " + DIM + ") AS v");
  }

  /** Returns the number of files of a table. */
  private static long objects(String name) {
    Path folder = Path.of(URI.create(TableCatalogs.open(spark, name).table().location()).getPath());
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compares the last of some equal commits, and what the table has after them. */
  private static void assertWritten(String name, CommitScale model, int commits) {
    Row last =
        spark
            .sql(
                "SELECT int(summary['added-data-files']), int(summary['total-data-files']) FROM "
                    + name
                    + ".snapshots ORDER BY committed_at DESC LIMIT 1")
            .first();
    assertThat((long) last.getInt(0)).isCloseTo(model.touched(), withPercentage(5));
    assertThat((long) last.getInt(1)).isCloseTo(model.dataFiles(commits), withPercentage(5));
    assertThat(manifests(name, 0)).isEqualTo(commits + 1);
    assertThat(manifests(name, 1)).isBetween(1L, (long) commits);
  }

  /**
   * Returns the manifests of a table.
   *
   * @param content 0 for those of data files, 1 for those of deletion vectors
   */
  private static long manifests(String name, int content) {
    return spark.table(name + ".manifests").where("content = " + content).count();
  }

  /** Compares the bytes that the driver sends to executors as the files of a table. */
  private static void assertPlan(String name, CommitScale model, int commits) {
    StoredTable table = TableCatalogs.open(spark, name);
    long bytes =
        SparkEnv.get()
            .serializer()
            .newInstance()
            .serialize(
                table.files(table.table().currentSnapshot().snapshotId()),
                ClassTag$.MODULE$.apply(Object.class))
            .remaining();
    assertThat(bytes).isCloseTo(model.planBytes(commits), withPercentage(25));
  }

  /** A table takes its rows per block when it is created. */
  @Test
  void tensorTableHasBlocksOf64MiB() {
    Shape shape = Shape.of(ClusterScale.ROWS, ClusterScale.DIM);
    TensorTable table =
        TensorTable.create(spark, "scaling.t.large", TensorSpec.of(DType.FLOAT32, shape));
    long blocks = -Math.floorDiv(-ClusterScale.ROWS, table.info().rowsPerBlock());
    assertThat(new ClusterScale(10).tensorTable().blocks()).isEqualTo(blocks);
  }

  private static FeatureTableSpec features() {
    return FeatureTableSpec.keyedBy("id", "bigint")
        .with(Variable.of("v", DType.FLOAT32, DIM).reducedBy(VariableReduction.add()));
  }

  @Test
  void featureTableOfUnknownSizeHasFewBuckets() {
    String name = "scaling.t.unknown";
    FeatureTable table = FeatureTable.create(spark, name, features());
    table.write().scatter(updates(ROWS, CORES)).commit();
    assertThat(spark.table(name + ".data_files").count()).isEqualTo(CommitScale.DEFAULT_BUCKETS);
  }

  @ParameterizedTest
  @CsvSource({"8, 3000", "64, 300"})
  void commitIntoAFeatureTableAddsAFileForEachBucket(int buckets, long updates) throws Exception {
    String name = "scaling.t.features%d_%d".formatted(buckets, updates);
    FeatureTable table = FeatureTable.create(spark, name, features().withBuckets(buckets));
    table.write().scatter(updates(ROWS, CORES)).commit();
    CommitScale model = CommitScale.of(ROWS, buckets, updates, SLICE, CORES);
    StageCounts counts = counted(() -> table.write().scatter(updates(updates, CORES)).commit());
    assertThat(counts.tasks()).isEqualTo(CORES + model.tasks());
    assertThat(counts.records()).isEqualTo(updates);
    assertThat(counts.bytes()).isEqualTo(updates * CommitScale.featureRowBytes(8, SLICE));
    assertWritten(name, model, 1);
    table.write().scatter(laterUpdates(updates, 1)).commit();
    assertWritten(name, model, 2);
  }

  @ParameterizedTest
  @CsvSource({"2, 4, 500", "4, 16, 500", "2, 64, 20"})
  void stepSendsEachRowThreeTimes(int shards, int partitions, int rows) throws Exception {
    EmbeddingTable table =
        EmbeddingTable.create(
            spark, EmbeddingSpec.of(ROWS, DIM, Optimizer.sgd(0.1)).withPartitions(partitions));
    StepScale model = new StepScale(shards, partitions, rows, DIM);
    StageCounts few = counted(() -> train(table, model, 2));
    StageCounts more = counted(() -> train(table, model, 6));
    assertThat((more.tasks() - few.tasks()) / 4).isEqualTo(model.tasks());
    assertThat((more.jobs() - few.jobs()) / 4).isEqualTo(1);
    long messages = more.records() - few.records();
    assertThat(messages).isBetween(2 * model.mostMessages(), 4 * model.mostMessages());
    // in local mode messages stay in memory, where each counts more than in a file
    long inFiles =
        more.bytes() - few.bytes() - (IN_MEMORY_BYTES - ShuffleScale.HEADER_BYTES) * messages;
    assertThat(inFiles)
        .isEqualTo(4 * model.bytes() + ShuffleScale.HEADER_BYTES * messages)
        .isCloseTo(4 * model.mostWritten(), withPercentage(10));
  }

  private static void train(EmbeddingTable table, StepScale model, int steps) {
    DistinctRows step = new DistinctRows((int) model.rowsOfAShard());
    table
        .train(Batches.generated((int) model.shards(), step::batch), step)
        .steps(steps)
        .run()
        .table()
        .close();
  }

  /** Each shard names other rows in each step. */
  private record DistinctRows(int rows) implements StepFunction<long[]> {
    long[] batch(long step, int shard) {
      return LongStream.range(0, rows)
          .map(i -> (i * 7919 + 31 * step + 4001L * shard) % ROWS)
          .toArray();
    }

    @Override
    public long[] ids(long[] batch) {
      return batch;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      return new Loss(0, batch.length);
    }
  }
}
