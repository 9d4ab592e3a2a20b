/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.KeySpace;
import io.sparknd.embedding.feed.TrainingColumns;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests feeds of Datasets: their values, errors, sizes, and trainings with them. */
class TrainingFeedTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(300, 4, Optimizer.adam(0.05)).withInitializer(Initializer.uniform(-1, 1, 5));

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private Dataset<Row> clicks() {
    return spark.sql(
        "SELECT * FROM VALUES (true, 1.5D, 7, 'x', array('u', null)), "
            + "(false, null, null, null, null), (true, 2D, 7, 'x', array()) "
            + "AS v(clicked, price, item, Shop, tags)");
  }

  /** In a session in which a name in backticks is a regular expression. */
  @Test
  void columnsAreNamedExactly() {
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.parser.quotedRegexColumnNames", true);
    Dataset<Row> rows = session.sql("SELECT 1F AS label, 2F AS `x.y`, 3F AS x_y");
    TrainingColumns columns = TrainingColumns.label("label").dense(0, "x.y");
    try (TrainingFeed feed = TrainingFeed.of(rows, columns, FeedOptions.of(1, 8))) {
      assertThat(FeedRows.of(session, feed.batches(), 0, 0).get(0))
          .containsExactly(List.of(1f, 2f).toString());
    }
  }

  @Test
  void columnsBecomeFeatures() {
    TrainingColumns columns =
        TrainingColumns.label("clicked")
            .dense(-1, "price")
            .categorical("item")
            .categorical(KeySpace.named("shops"), "shop")
            .multiValued(KeySpace.plain().withMissing(9), "tags");
    long item = EmbeddingKeys.of("item", 7L);
    long shop = EmbeddingKeys.of("shops", "x");
    try (TrainingFeed feed = TrainingFeed.of(clicks(), columns, FeedOptions.of(1, 8))) {
      assertThat(feed.rows()).isEqualTo(3);
      assertThat(feed.stepsPerEpoch()).isEqualTo(1);
      assertThat(FeedRows.of(spark, feed.batches(), 0, 1).get(0))
          .containsExactlyInAnyOrder(
              List.of(1f, 1.5f, item, shop, List.of(EmbeddingKeys.of("u"), 9L)).toString(),
              List.of(
                      0f,
                      -1f,
                      EmbeddingKeys.missing("item"),
                      EmbeddingKeys.missing("shops"),
                      List.of())
                  .toString(),
              List.of(1f, 2f, item, shop, List.of()).toString());
    }
  }

  @Test
  void keysAreThoseOfSql() {
    Row row =
        spark
            .sql("SELECT xxhash64('tag', 'x'), xxhash64('item', 7L), xxhash64('tag')")
            .collectAsList()
            .get(0);
    assertThat(EmbeddingKeys.of("tag", "x")).isEqualTo(row.getLong(0));
    assertThat(EmbeddingKeys.of("item", 7)).isEqualTo(row.getLong(1));
    assertThat(EmbeddingKeys.missing("tag")).isEqualTo(row.getLong(2));
  }

  /** Half of the rows are equal; they are spread like others. */
  @Test
  void equalRowsAreDealtToAllShards() {
    Dataset<Row> rows = spark.sql("SELECT 1 AS y, if(id < 500, 0, id) AS item FROM range(1000)");
    TrainingColumns columns = TrainingColumns.label("y").categorical(KeySpace.plain(), "item");
    try (TrainingFeed feed = TrainingFeed.of(rows, columns, FeedOptions.of(4, 1000))) {
      List<List<String>> shards = FeedRows.of(spark, feed.batches(), 0, 0);
      assertThat(shards).allMatch(shard -> shard.size() > 190 && shard.size() < 310);
      assertThat(shards)
          .allMatch(
              shard -> {
                long equal = shard.stream().filter("[1.0, 0]"::equals).count();
                return equal > 80 && equal < 170;
              });
    }
  }

  @Test
  void weightsAreTheSameAtEveryNumberOfPartitionsAndAfterARestart() {
    pairs(500).write().parquet(directory.resolve("pairs").toString());
    Dataset<Row> files = spark.read().parquet(directory.resolve("pairs").toString());
    FeedOptions options = FeedOptions.of(3, 32).withSeed(11);
    Tensor first;
    try (TrainingFeed feed = TrainingFeed.of(files, RowPulls.COLUMNS, options)) {
      assertThat(feed.stepsPerEpoch()).isBetween(6, 8);
      first = trained(feed, 2, 20, 1);
      TensorAssert.assertSameBits(trained(feed, 1, 20, 1), first);
    }
    Dataset<Row> moved = files.repartition(7);
    try (TrainingFeed feed = TrainingFeed.of(moved, RowPulls.COLUMNS, options)) {
      TensorAssert.assertSameBits(trained(feed, 7, 20, 1), first);
      EmbeddingTable half = training(feed, 3, 9).run().table();
      half.save(directory.resolve("half").toString());
      EmbeddingTable loaded = EmbeddingTable.load(spark, directory.resolve("half").toString());
      TensorAssert.assertSameBits(
          loaded
              .train(feed.batches(), new RowPulls(new Pulls(300, 3)))
              .steps(11)
              .run()
              .table()
              .weights()
              .collect(),
          first);
    }
  }

  @Tag("slow")
  @Test
  void killedTrainingResumesInTheMiddleOfAnEpoch() {
    TrainingCheckpoints checkpoints =
        TrainingCheckpoints.of(directory.resolve("run").toString(), 5);
    try (TrainingFeed feed = feed(pairs(300), 4)) {
      Training<FeatureBatch> training = training(feed, 2, 16).saveCheckpoints(checkpoints);
      ThrowingCallable stopped =
          () ->
              training
                  .reportTo(
                      (step, end) -> {
                        if (step.step() == 12) {
                          throw new IllegalStateException("stop");
                        }
                      })
                  .run();
      assertThatThrownBy(stopped).hasMessageContaining("stop");
    }
    try (TrainingFeed feed = feed(pairs(300).repartition(5), 4)) {
      TrainedEmbedding resumed = training(feed, 2, 16).saveCheckpoints(checkpoints).resume();
      assertThat(resumed.steps().get(0).step()).isEqualTo(10);
      TensorAssert.assertSameBits(resumed.table().weights().collect(), trained(feed, 2, 16, 1));
    }
  }

  @Test
  void seedsChangeTheOrder() {
    Set<List<List<String>>> orders = new HashSet<>();
    TrainingColumns columns = TrainingColumns.label("y").categorical("one");
    Dataset<Row> rows = pairs(100).selectExpr("one", "1 AS y");
    for (int seed = 0; seed < 3; seed++) {
      try (TrainingFeed feed =
          TrainingFeed.of(rows, columns, FeedOptions.of(1, 50).withSeed(seed))) {
        orders.add(FeedRows.of(spark, feed.batches(), 0, 0));
        orders.add(FeedRows.of(spark, feed.batches(), 2, 0));
        assertThat(FeedRows.of(spark, feed.batchesFrom(7), 9, 0))
            .isEqualTo(FeedRows.of(spark, feed.batches(), 2, 0));
      }
    }
    assertThat(orders).hasSize(6);
  }

  @Test
  void aRowOf26IntegersTakesItsNumbersAndLittleMore() throws Exception {
    int rows = 60_000;
    String[] names = IntStream.range(0, 26).mapToObj(i -> "c" + i).toArray(String[]::new);
    String[] values =
        IntStream.range(0, 26).mapToObj(i -> "id * 31 + " + i + " AS c" + i).toArray(String[]::new);
    Dataset<Row> ids = spark.range(rows).selectExpr(values);
    assertThat(bytesPerRow(ids, TrainingColumns.unlabeled().categorical(KeySpace.plain(), names)))
        .isBetween(26.0 * Integer.BYTES, 26.0 * Integer.BYTES + 4);
    assertThat(bytesPerRow(ids, TrainingColumns.unlabeled().categorical(names)))
        .isBetween(26.0 * Long.BYTES, 26.0 * Long.BYTES + 4);
  }

  /** Returns the bytes that Spark counts for persisted chunks; there are at least 14. */
  private double bytesPerRow(Dataset<Row> ids, TrainingColumns columns) throws Exception {
    try (TrainingFeed feed = TrainingFeed.of(ids, columns, FeedOptions.of(2, 500))) {
      spark.sparkContext().listenerBus().waitUntilEmpty(); // a listener counts the bytes
      RDDInfo info =
          Arrays.stream(spark.sparkContext().getRDDStorageInfo())
              .filter(rdd -> rdd.id() == feed.chunks().id())
              .findFirst()
              .orElseThrow();
      assertThat(info.numPartitions()).isEqualTo(14);
      return (info.memSize() + info.diskSize()) / (double) feed.rows();
    }
  }

  @Test
  void chunksOnDiskGiveTheSameBits() {
    Dataset<Row> pairs = pairs(20_000);
    Tensor inMemory;
    try (TrainingFeed feed = feed(pairs, 2000)) {
      inMemory = trained(feed, 2, 12, 1);
    }
    try (TrainingFeed feed = feed(pairs, 2000)) {
      feed.chunks().unpersist(true).persist(StorageLevel.DISK_ONLY());
      TensorAssert.assertSameBits(trained(feed, 2, 12, 1), inMemory);
    }
  }

  @Test
  void errorsNameTheColumn() {
    TrainingColumns label = TrainingColumns.label("clicked");
    assertRefused(label, "have no feature");
    assertRefused(label.dense("cost"), "column 'cost' is not among");
    assertRefused(label.dense("shop"), "column 'shop' is string; this feature must have numbers");
    assertRefused(label.categorical("price"), "column 'price' is double");
    assertRefused(label.categorical("tags"), "must have integers or strings");
    assertRefused(label.multiValued("item"), "must have arrays of integers or strings");
    assertRefused(label.categorical(KeySpace.numbered(3), "shop"), "must have integers");
    assertRefused(label.dense("price"), "column 'price' has a null");
    assertRefused(label.categorical(KeySpace.plain(), "item"), "column 'item' has a null");
    assertRefused(
        label.multiValued(KeySpace.ofColumn().required(), "tags"), "column 'tags' has a null");
    assertRefused(TrainingColumns.label("price").categorical("item"), "column 'price' has a null");
    assertThatThrownBy(() -> label.dense("price").categorical("price"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column 'price' occurs twice");
    assertThatThrownBy(() -> FeedOptions.of(1, 0)).hasMessageContaining("size is 0");
    assertThatThrownBy(() -> FeedOptions.of(0, 1)).hasMessageContaining("0 shards");
    assertThatThrownBy(() -> feed(pairs(10).where("false"), 3))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has no rows");
  }

  private void assertRefused(TrainingColumns columns, String message) {
    assertThatThrownBy(() -> TrainingFeed.of(clicks(), columns, FeedOptions.of(1, 8)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message);
  }

  /** They would be rows of the column before. */
  @Test
  void negativeNumbersAreErrors() {
    Dataset<Row> rows =
        spark.sql(
            "SELECT id % 3 AS user, int(id - 1) AS item, array(id, id - 1) AS seen FROM range(5)");
    for (TrainingColumns columns :
        List.of(
            TrainingColumns.unlabeled()
                .categorical(KeySpace.numbered(0), "user")
                .categorical(KeySpace.numbered(10), "item"),
            TrainingColumns.unlabeled()
                .categorical(KeySpace.numbered(10).withMissing(9), "user", "item"),
            TrainingColumns.unlabeled().multiValued(KeySpace.numbered(10), "seen"))) {
      String column = columns.multiValued().isEmpty() ? "item" : "seen";
      assertThatThrownBy(() -> TrainingFeed.of(rows, columns, FeedOptions.of(1, 8)))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("column '%s' has -1, and its numbered key space", column);
      Dataset<Row> valid = rows.where("item >= 0");
      try (TrainingFeed feed = TrainingFeed.of(valid, columns, FeedOptions.of(1, 8))) {
        assertThat(feed.rows()).isEqualTo(4);
      }
    }
  }

  /** They would be rows of the column after. */
  @Test
  void numbersFromTheCountOnAreErrors() {
    Dataset<Row> rows = spark.sql("SELECT id AS user, array(id, NULL) AS seen FROM range(5)");
    KeySpace five = KeySpace.numbered(3, 5).withMissing(-7);
    for (TrainingColumns columns :
        List.of(
            TrainingColumns.unlabeled().categorical(KeySpace.numbered(3, 4), "user"),
            TrainingColumns.unlabeled()
                .categorical(five, "user")
                .multiValued(KeySpace.numbered(-1, 4).withMissing(9), "seen"))) {
      assertThatThrownBy(() -> TrainingFeed.of(rows, columns, FeedOptions.of(1, 8)))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("has 4, and its numbered key space takes integers in [0, 4)");
    }
    TrainingColumns columns =
        TrainingColumns.unlabeled().categorical(five, "user").multiValued(five, "seen");
    try (TrainingFeed feed = TrainingFeed.of(rows, columns, FeedOptions.of(1, 8))) {
      assertThat(FeedRows.of(spark, feed.batches(), 0, 1).get(0))
          .containsExactlyInAnyOrder(
              "[3, [3, -7]]", "[4, [4, -7]]", "[5, [5, -7]]", "[6, [6, -7]]", "[7, [7, -7]]");
    }
  }

  @Test
  void numbersAtTheEndsOfBigintAreErrorsOrIds() {
    long most = Long.MAX_VALUE;
    assertNumber(KeySpace.numbered(0).withMissing(0), Long.MIN_VALUE, "from 0 up"); // clamped by 1
    assertNumber(KeySpace.numbered(1), most, "from 0 up");
    assertNumber(KeySpace.numbered(0, most), most, "in [0, " + most + ")");
    assertThat(ids(KeySpace.numbered(0), most)).containsExactly("[" + most + "]");
    assertThat(ids(KeySpace.numbered(Long.MIN_VALUE), most)).containsExactly("[-1]");
    assertThat(ids(KeySpace.numbered(most - 1, 2), 1)).containsExactly("[" + most + "]");
    assertThatThrownBy(() -> KeySpace.numbered(most - 1, 3))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("cannot have 3 values from id 9223372036854775806 on");
    assertThatThrownBy(() -> KeySpace.numbered(0, 0)).hasMessageContaining("cannot have 0 values");
  }

  private List<String> ids(KeySpace keys, long value) {
    Dataset<Row> rows = spark.range(1).select(lit(value).as("value"));
    TrainingColumns columns = TrainingColumns.unlabeled().categorical(keys, "value");
    try (TrainingFeed feed = TrainingFeed.of(rows, columns, FeedOptions.of(1, 8))) {
      return FeedRows.of(spark, feed.batches(), 0, 0).get(0);
    }
  }

  private void assertNumber(KeySpace keys, long value, String range) {
    Dataset<Row> rows = spark.range(1).select(lit(value).as("value"));
    TrainingColumns columns = TrainingColumns.unlabeled().categorical(keys, "value");
    assertThatThrownBy(() -> TrainingFeed.of(rows, columns, FeedOptions.of(1, 8)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column 'value' has " + Math.max(value, Long.MIN_VALUE + 1))
        .hasMessageContaining("takes integers " + range);
  }

  @Test
  void missingNumbersOfListsAreErrorsWithoutAnId() {
    Dataset<Row> rows = spark.sql("SELECT if(id = 0, array(NULL, id), NULL) AS seen FROM range(2)");
    TrainingColumns columns = TrainingColumns.unlabeled();
    assertThatThrownBy(
            () ->
                TrainingFeed.of(
                    rows, columns.multiValued(KeySpace.numbered(4), "seen"), FeedOptions.of(1, 8)))
        .hasMessageContaining("column 'seen' has a null");
    KeySpace two = KeySpace.numbered(4).withMissing(2);
    try (TrainingFeed feed =
        TrainingFeed.of(rows, columns.multiValued(two, "seen"), FeedOptions.of(1, 8))) {
      assertThat(FeedRows.of(spark, feed.batches(), 0, 1).get(0))
          .containsExactlyInAnyOrder("[[2, 4]]", "[[]]");
    }
  }

  @Test
  void stringsAndIntegersOfOneSpaceAreErrors() {
    Dataset<Row> rows = spark.sql("SELECT 7 AS item, array('7') AS seen, '8' AS shop");
    TrainingColumns columns = TrainingColumns.unlabeled().categorical("item");
    assertThatThrownBy(
            () ->
                TrainingFeed.of(
                    rows,
                    columns.categorical("shop").multiValued(KeySpace.named("item"), "seen"),
                    FeedOptions.of(1, 8)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("columns 'seen', which is array<string>, and 'item', which is int");
    try (TrainingFeed feed =
        TrainingFeed.of(
            rows,
            columns.categorical("shop").multiValued(KeySpace.plain(), "seen"),
            FeedOptions.of(1, 8))) {
      assertThat(feed.rows()).isOne();
    }
  }

  private Dataset<Row> pairs(int rows) {
    return spark.range(0, rows, 1, 3).selectExpr("id * 7 % 290 AS one", "id * id % 290 AS other");
  }

  private static TrainingFeed feed(Dataset<Row> rows, int size) {
    return TrainingFeed.of(rows, RowPulls.COLUMNS, FeedOptions.of(2, size));
  }

  private Training<FeatureBatch> training(TrainingFeed feed, int partitions, int steps) {
    return EmbeddingTable.create(spark, SPEC.withPartitions(partitions))
        .train(feed.batches(), new RowPulls(new Pulls(300, 3)))
        .steps(steps);
  }

  private Tensor trained(TrainingFeed feed, int partitions, int steps, int perJob) {
    return training(feed, partitions, steps).stepsPerJob(perJob).run().table().weights().collect();
  }
}
