/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests embedding tables apart from training: gradients from Datasets, files, errors. */
class EmbeddingTableTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(300, 4, Optimizer.adagrad(0.1))
          .withInitializer(Initializer.uniform(-1, 1, 5))
          .withPartitions(3);
  private static final Pulls MODEL = new Pulls(SPEC.rows(), 50);

  private final SparkSession spark = LocalSpark.session();
  private final EmbeddingTable table = EmbeddingTable.create(spark, SPEC);

  @TempDir private Path directory;

  @Test
  void gradientsOfADatasetAreSummedInOrderAndApplied() {
    Dataset<Row> gradients =
        spark
            .range(0, 1000, 1, 4)
            .selectExpr(
                "id * 7 % 290 AS row",
                "transform(array(1, 2, 3, 4), j -> CAST(1D / (id + j) AS float)) AS gradient");
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    TreeMap<Long, float[]> sums = new TreeMap<>();
    for (int id = 0; id < 1000; id++) {
      float[] sum = sums.get(id * 7L % 290);
      boolean isFirst = sum == null;
      float[] next = isFirst ? new float[4] : sum;
      for (int j = 0; j < 4; j++) {
        float gradient = (float) (1D / (id + j + 1));
        next[j] = isFirst ? gradient : next[j] + gradient;
      }
      sums.put(id * 7L % 290, next);
    }
    naive.apply(SPEC.optimizer(), sums);
    EmbeddingTable next = table.apply(gradients, TensorColumns.of("gradient", "row"));
    assertThat(next.steps()).isEqualTo(1);
    TensorAssert.assertSameBits(next.weights().collect(), naive.weights());
    TensorAssert.assertSameBits(
        table.weights().collect(), new NaiveTrainer(SPEC).weights()); // unchanged
  }

  @Test
  void listsOfIdsAreLookedUp() {
    Dataset<Row> bags = spark.sql("SELECT array(7L, 290L, 7L) AS ids");
    float[] weights = (float[]) new NaiveTrainer(SPEC).weights().array();
    List<Float> found =
        table.lookup(Lookup.sum(), bags, LookupColumns.of("ids")).first().getList(1);
    assertThat(found).hasSize(4);
    for (int j = 0; j < 4; j++) {
      float sum = weights[7 * 4 + j] + weights[290 * 4 + j] + weights[7 * 4 + j];
      assertThat(found.get(j)).isEqualTo(sum);
    }
  }

  @Test
  void trainedWeightsAreWrittenToAnNpyFile() {
    EmbeddingTable zeros = EmbeddingTable.create(spark, SPEC.withInitializer(Initializer.zeros()));
    TrainedEmbedding trained =
        zeros.train(Batches.generated(2, MODEL::batch), MODEL).steps(3).run();
    Tensor weights = trained.table().weights().collect();
    Path npy = directory.resolve("weights.npy");
    trained.table().weights().toNpy(npy);
    TensorAssert.assertSameBits(Npy.read(npy), weights);
  }

  @Test
  void rowsOutOfBoundsAreNamed() {
    assertRefused(
        () ->
            table.apply(
                spark.sql("SELECT 300L AS row, array(0f, 0f, 0f, 0f) AS gradient"),
                TensorColumns.of("gradient", "row")),
        "300");
    StepFunction<long[]> requests = new Fixed(new long[] {1, 300});
    assertRefused(
        () -> train(requests),
        "id 300, at position 1 of the mini-batch of step 0, is not in [0, 300)");
    assertRefused(() -> train(new Fixed(new long[] {-1})), "id -1");
  }

  private void train(StepFunction<long[]> function) {
    table.train(Batches.generated(2, (step, shard) -> new long[0]), function).run();
  }

  private static final class Broken implements StepFunction<long[]> {
    @Override
    public long[] ids(long[] batch) {
      return new long[] {1};
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      throw new IllegalStateException("no such feature");
    }
  }

  /** A step function that always requests the same rows. */
  private record Fixed(long[] wanted) implements StepFunction<long[]> {
    @Override
    public long[] ids(long[] batch) {
      return wanted;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      return Loss.NONE;
    }
  }

  @Test
  void exceptionOfAStepFunctionFailsTheTrainingAndKeepsNoRdd() {
    StepFunction<long[]> broken = new Broken();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Set<Integer> kept = Set.copyOf(context.getPersistentRDDs().keySet());
    assertThatThrownBy(() -> train(broken)).hasMessageContaining("no such feature");
    assertThat(kept).containsAll(context.getPersistentRDDs().keySet());
  }

  @Test
  void invalidArgumentsAreRejected() {
    assertRefused(() -> EmbeddingSpec.of(0, 4, Optimizer.sgd(1)), "0 rows of 4 weights");
    assertRefused(() -> EmbeddingSpec.of(4, 0, Optimizer.sgd(1)), "4 rows of 0 weights");
    assertRefused(
        () -> EmbeddingTable.create(spark, SPEC.withDType(DType.INT32)),
        "weights of int32 cannot be trained");
    assertRefused(() -> Batches.generated(0, MODEL::batch), "0 shards");
    assertRefused(
        () -> table.train(Batches.generated(1, MODEL::batch), MODEL).steps(0), "steps is 0");
    assertRefused(
        () -> EmbeddingTable.load(spark, directory.toString()), "is not a saved embedding table");
  }

  @Test
  void batchesOfAnRddAreRepeated() {
    List<long[]> batches = new ArrayList<>();
    for (int step = 0; step < 3; step++) {
      batches.add(MODEL.batch(step, 0));
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Batches<long[]> of = Batches.of(context.parallelize(batches, 1));
    Batches<long[]> generated = Batches.generated(1, (step, shard) -> MODEL.batch(step % 3, shard));
    TensorAssert.assertSameBits(
        table.train(of, MODEL).steps(7).run().table().weights().collect(),
        table.train(generated, MODEL).steps(7).run().table().weights().collect());
    assertRefused(
        () -> table.train(Batches.of(context.parallelize(batches, 4)), MODEL).run(),
        "the mini-batches have an empty partition");
  }

  /** Spark plans a query without rows without partitions. */
  @Test
  void miniBatchesWithoutPartitionsAreRejected() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    String message = "the mini-batches have an empty partition, or none";
    assertRefused(() -> table.train(Batches.of(context.emptyRDD()), MODEL).run(), message);
  }

  @Test
  void repartitionToNoPartitionIsRejected() {
    EmbeddingTable keyed = EmbeddingTable.create(spark, EmbeddingSpec.keyed(4, Optimizer.sgd(1)));
    for (EmbeddingTable any : List.of(table, keyed)) {
      assertRefused(() -> any.repartition(0), "partitions is 0; it must be at least 1");
      assertRefused(() -> any.repartition(-1), "partitions is -1; it must be at least 1");
    }
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    String saved = directory.resolve("t").toString();
    TrainedEmbedding trained =
        table.train(Batches.generated(2, MODEL::batch), MODEL).steps(3).run();
    trained.table().save(saved);
    assertRefused(() -> table.save(saved), saved);
    Path file = firstFile(Path.of(saved));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    // delete Hadoop's checksum file, which only local files have
    Files.delete(file.resolveSibling("." + file.getFileName() + ".crc"));
    assertRefused(
        () -> EmbeddingTable.load(spark, saved).weights().collect(), file.getFileName().toString());
  }

  private static Path firstFile(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".rows")).sorted().findFirst().get();
    }
  }

  @Test
  void trainingStepsAreReported() throws IOException {
    List<Long> heard = new ArrayList<>();
    TrainedEmbedding trained =
        table
            .train(Batches.generated(2, MODEL::batch), MODEL)
            .steps(5)
            .stepsPerJob(2)
            .reportTo((step, end) -> heard.add(step.step() * 10 + end))
            .run();
    assertThat(heard).containsExactly(5L, 15L, 25L, 35L, 45L);
    Path csv = directory.resolve("loss.csv");
    trained.toCsv(csv);
    assertThat(Files.readAllLines(csv)).hasSize(6).first().isEqualTo("step,loss,examples,seconds");
    assertThat(trained.loss(5)).isBetween(trained.loss(1), 100.0);
    assertThat(trained.steps().get(0).loss().examples()).isEqualTo(100);
  }

  /** Jobs of four steps begin at multiples of 4, not four steps after the call. */
  @Test
  void jobBoundariesDoNotChangeTheBits() {
    Batches<long[]> batches = Batches.generated(2, MODEL::batch);
    EmbeddingTable begun = table.train(batches, MODEL).steps(2).run().table();
    EmbeddingTable whole = begun.train(batches, MODEL).steps(12).stepsPerJob(4).run().table();
    EmbeddingTable half = begun.train(batches, MODEL).steps(6).stepsPerJob(4).run().table();
    EmbeddingTable halves = half.train(batches, MODEL).steps(6).stepsPerJob(4).run().table();
    TensorAssert.assertSameBits(halves.weights().collect(), whole.weights().collect());
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContaining(message);
  }
}
