/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.KeySpace;
import io.sparknd.embedding.feed.TrainingColumns;
import io.sparknd.embedding.internal.step.BatchShard;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

/** Tests feeds of random Datasets against a naive model of their rows. */
class FeedPropertyTest {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "clicked boolean not null, price double, item bigint, shop string, tags array<string>");
  private static final TrainingColumns COLUMNS =
      TrainingColumns.label("clicked")
          .dense(-1, "price")
          .categorical("item")
          .categorical(KeySpace.named("shops").withMissing(77), "shop")
          .multiValued("tags");
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.keyed(4, Optimizer.adam(0.05))
          .withInitializer(Initializer.uniform(-1, 1, 5))
          .withPartitions(2);

  private final SparkSession spark = LocalSpark.session();

  /** A step function whose result depends on every value of the batch. */
  private record AllValues() implements StepFunction<FeatureBatch> {
    @Override
    public long[] ids(FeatureBatch batch) {
      return batch.ids();
    }

    @Override
    public Loss step(FeatureBatch batch, EmbeddingRows rows) {
      double loss = 0;
      for (int i = 0; i < batch.rows(); i++) {
        float scale = batch.labels()[i] + batch.dense()[i];
        for (int j = 0; j < batch.categorical(); j++) {
          loss += add(rows, batch.position(i, j), scale);
        }
        for (int at = batch.offsets(0)[i]; at < batch.offsets(0)[i + 1]; at++) {
          loss += add(rows, at, 0.5f * scale);
        }
      }
      return new Loss(loss, batch.rows());
    }

    private static double add(EmbeddingRows rows, int position, float scale) {
      int at = rows.slot(position) * rows.dim();
      for (int i = 0; i < rows.dim(); i++) {
        rows.gradients()[at + i] += scale + rows.values()[at + i];
      }
      return rows.values()[at];
    }
  }

  /** The random input of one trial. */
  private static final class Trial {
    final SplittableRandom random;
    final List<Row> rows = new ArrayList<>();
    final List<String> expected = new ArrayList<>();
    final FeedOptions options;

    Trial(long seed) {
      random = new SplittableRandom(seed);
      int count = random.nextInt(1, 200);
      for (int i = 0; i < count; i++) {
        add();
      }
      options =
          FeedOptions.of(random.nextInt(1, 6), random.nextInt(3, 60)).withSeed(random.nextLong());
    }

    private void add() {
      boolean clicked = random.nextBoolean();
      Double price = random.nextInt(4) == 0 ? null : random.nextInt(-2, 3) / 2.0;
      Long item = random.nextInt(5) == 0 ? null : random.nextLong(3);
      String shop = text();
      String[] tags = random.nextInt(4) == 0 ? null : tags();
      rows.add(RowFactory.create(clicked, price, item, shop, tags));
      expected.add(
          Arrays.asList(
                  clicked ? 1f : 0f,
                  price == null ? -1f : price.floatValue() + 0f,
                  item == null ? EmbeddingKeys.missing("item") : EmbeddingKeys.of("item", item),
                  shop == null ? 77 : EmbeddingKeys.of("shops", shop),
                  tags == null ? "[]" : Arrays.stream(tags).map(Trial::tag).toList())
              .toString());
    }

    private String[] tags() {
      String[] tags = new String[random.nextInt(4)];
      Arrays.setAll(tags, i -> text());
      return tags;
    }

    private @Nullable String text() {
      return random.nextInt(5) == 0 ? null : "s" + random.nextInt(4);
    }

    private static long tag(@Nullable String tag) {
      return tag == null ? EmbeddingKeys.missing("tags") : EmbeddingKeys.of("tags", tag);
    }

    TrainingFeed feed(SparkSession spark, int partitions) {
      Dataset<Row> all = spark.createDataFrame(rows, SCHEMA).repartition(partitions);
      return TrainingFeed.of(all, COLUMNS, options);
    }
  }

  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  void eachEpochHasEachRowOnce(@ForAll long seed) {
    Trial trial = new Trial(seed);
    try (TrainingFeed one = trial.feed(spark, 1);
        TrainingFeed other = trial.feed(spark, 5)) {
      assertThat(one.rows()).isEqualTo(trial.rows.size());
      List<List<List<String>>> steps = steps(one, 2 * one.stepsPerEpoch());
      assertThat(steps(other, 2 * one.stepsPerEpoch())).isEqualTo(steps);
      for (int epoch = 0; epoch < 2; epoch++) {
        List<String> found = new ArrayList<>();
        for (List<List<String>> step :
            steps.subList(epoch * one.stepsPerEpoch(), (epoch + 1) * one.stepsPerEpoch())) {
          assertThat(step).allMatch(part -> part.size() <= trial.options.size());
          step.forEach(found::addAll);
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(trial.expected);
      }
    }
  }

  /** Returns the rows of each step, by shard. */
  private List<List<List<String>>> steps(TrainingFeed feed, int count) {
    List<List<List<String>>> shards =
        feed.batches().shards(context()).map(shard -> FeedRows.of(shard, count, 1)).collect();
    List<List<List<String>>> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int step = i;
      steps.add(shards.stream().map(shard -> shard.get(step)).toList());
    }
    return steps;
  }

  private JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  @Tag("slow")
  @Property(tries = 6, shrinking = ShrinkingMode.OFF)
  void trainingsHaveTheBitsOfTheArrays(@ForAll long seed) throws IOException {
    Trial trial = new Trial(seed);
    int perJob = trial.random.nextInt(1, 4);
    int steps = 3 * perJob;
    Path saved = Files.createTempDirectory("feed");
    ShutdownHookManager.registerShutdownDeleteDir(saved.toFile());
    try (TrainingFeed one = trial.feed(spark, 2);
        TrainingFeed other = trial.feed(spark, 3)) {
      List<List<Object[]>> arrays = arrays(one, 2 * steps);
      Batches<FeatureBatch> generated =
          Batches.generated(
              trial.options.shards(), (step, shard) -> batch(arrays.get(shard).get((int) step)));
      EmbeddingTable begin = EmbeddingTable.create(spark, SPEC);
      EmbeddingTable expected = trained(begin, generated, 2 * steps, perJob);
      EmbeddingTable half = trained(begin, one.batches(), steps, perJob);
      half.save(saved.resolve("half").toString());
      EmbeddingTable resumed =
          EmbeddingTable.load(spark, saved.resolve("half").toString()).repartition(3);
      EmbeddingTable found = trained(resumed, other.batches(), steps, perJob);
      assertThat(rows(found)).isEqualTo(rows(expected)).isNotEmpty();
    }
  }

  /** Returns the arrays of each part, by shard and step. */
  private List<List<Object[]>> arrays(TrainingFeed feed, int count) {
    return feed.batches().shards(context()).map(shard -> arrays(shard, count)).collect();
  }

  private static List<Object[]> arrays(BatchShard<FeatureBatch> shard, int count) {
    List<Object[]> parts = new ArrayList<>();
    for (int step = 0; step < count; step++) {
      FeatureBatch part = shard.batch(step);
      parts.add(
          new Object[] {part.rows(), part.labels(), part.dense(), part.ids(), part.offsets(0)});
    }
    return parts;
  }

  private static FeatureBatch batch(Object... arrays) {
    return new FeatureBatch(
        (int) arrays[0],
        (float[]) arrays[1],
        (float[]) arrays[2],
        2,
        (long[]) arrays[3],
        new int[][] {(int[]) arrays[4]});
  }

  private static EmbeddingTable trained(
      EmbeddingTable table, Batches<FeatureBatch> batches, int steps, int perJob) {
    return table.train(batches, new AllValues()).steps(steps).stepsPerJob(perJob).run().table();
  }

  private static List<String> rows(EmbeddingTable table) {
    return table.toDataset().orderBy("id").collectAsList().stream().map(Row::toString).toList();
  }
}
