/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.KeySpace;
import io.sparknd.embedding.feed.TrainingColumns;
import io.sparknd.tensor.SparkNdException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests feeds of unusual Datasets, and what they leave behind. */
class FeedInputTest {
  private final SparkSession spark = LocalSpark.session();

  private List<String> onlyShard(Dataset<Row> rows, TrainingColumns columns) {
    try (TrainingFeed feed = TrainingFeed.of(rows, columns, FeedOptions.of(1, 1000))) {
      return FeedRows.of(spark, feed.batches(), 0, 0).get(0);
    }
  }

  @Test
  void allNumbersBecomeFloats() {
    Dataset<Row> rows =
        spark.sql(
            "SELECT 1.5BD AS y, true AS a, 2Y AS b, 3S AS c, 4 AS d, 5L AS e, 6F AS f, 7D AS g");
    TrainingColumns columns = TrainingColumns.label("y").dense("a", "b", "c", "d", "e", "f", "g");
    assertThat(onlyShard(rows, columns))
        .containsExactly("[1.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]");
  }

  @Test
  void otherTypesAreErrors() {
    Dataset<Row> rows =
        spark.sql(
            "SELECT 1 AS y, 2 AS i, DATE'2026-01-02' AS d, X'00' AS b, 1BD AS m, null AS n, "
                + "named_struct('x', 1) AS s, map(1, 2) AS p, array(1D) AS l");
    for (String column : List.of("d", "b", "m", "n", "s", "p", "l")) {
      assertRefused(rows, TrainingColumns.label("y").categorical(column), "column '" + column);
      assertRefused(rows, TrainingColumns.label("y").multiValued(column), "column '" + column);
    }
    for (String column : List.of("d", "b", "n", "s", "p", "l")) {
      assertRefused(rows, TrainingColumns.label("y").dense(column), "column '" + column);
      assertRefused(rows, TrainingColumns.label(column).dense("i"), "column '" + column);
    }
  }

  private void assertRefused(Dataset<Row> rows, TrainingColumns columns, String message) {
    assertThatThrownBy(() -> TrainingFeed.of(rows, columns, FeedOptions.of(1, 8)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message);
  }

  @Test
  void namesMayHaveDotsAndQuotesAndAreFoundAsSparkDoes() {
    Dataset<Row> rows = spark.sql("SELECT 1 AS `a.b`, 2 AS `c``d`, 3 AS `E`, 4 AS `e f`");
    TrainingColumns columns =
        TrainingColumns.label("a.b").categorical(KeySpace.plain(), "c`d", "e", "e f");
    assertThat(onlyShard(rows, columns)).containsExactly("[1.0, 2, 3, 4]");
    assertRefused(
        spark.sql("SELECT 1 AS x, 2 AS X"), TrainingColumns.unlabeled().categorical("x"), "x");
    assertRefused(
        spark.sql("SELECT named_struct('b', 1) AS a"),
        TrainingColumns.unlabeled().categorical("a.b"),
        "'a.b'");
  }

  @Test
  void aColumnByTwoNamesIsUsedTwice() {
    assertRefused(
        spark.sql("SELECT 1 AS y, 2 AS x"),
        TrainingColumns.label("y").dense("x", "Y"),
        "column 'Y' occurs twice in the training columns");
  }

  @Test
  void zerosAndNansAreOneValueEach() {
    Dataset<Row> rows =
        spark.sql(
            "SELECT float(x) AS x, 1 AS i FROM VALUES (0D), (-0D), (double('NaN')), "
                + "(double('NaN')), (double('-Infinity')) AS v(x)");
    List<String> found =
        onlyShard(rows, TrainingColumns.unlabeled().dense("x").categorical(KeySpace.plain(), "i"));
    assertThat(found)
        .hasSize(5)
        .satisfies(all -> assertThat(Collections.frequency(all, "[0.0, 1]")).isEqualTo(2))
        .satisfies(all -> assertThat(Collections.frequency(all, "[NaN, 1]")).isEqualTo(2))
        .contains("[-Infinity, 1]");
  }

  /** More copies of a row than are numbered at a time. */
  @Test
  void copiesOfOneRowAreSpread() {
    int rows = 150_000;
    TrainingColumns columns = TrainingColumns.unlabeled().categorical(KeySpace.plain(), "one");
    try (TrainingFeed feed =
        TrainingFeed.of(
            spark.range(rows).selectExpr("1 AS one"), columns, FeedOptions.of(3, rows))) {
      assertThat(feed.rows()).isEqualTo(rows);
      assertThat(feed.stepsPerEpoch()).isOne();
      List<Integer> sizes =
          feed.chunks().map(chunk -> chunk.rows()).collect().stream().sorted().toList();
      assertThat(sizes).hasSize(36);
      assertThat(sizes.get(0)).isGreaterThan(3800);
      assertThat(sizes.get(35)).isLessThan(4600);
    }
  }

  @Test
  void shardsMayOutnumberRows() {
    Dataset<Row> rows = spark.range(3).selectExpr("id AS one", "id AS other");
    try (TrainingFeed feed = TrainingFeed.of(rows, RowPulls.COLUMNS, FeedOptions.of(20, 4))) {
      assertThat(feed.stepsPerEpoch()).isOne();
      TrainedEmbedding trained =
          EmbeddingTable.create(spark, ContinualTrainingTest.SPEC)
              .train(feed.batches(), new RowPulls(new Pulls(300, 3)))
              .steps(2)
              .run();
      assertThat(trained.steps()).allMatch(step -> step.loss().examples() == 3);
    }
  }

  /** A query that draws at random is computed once. */
  @Test
  void randomRowsAreFrozen() {
    Dataset<Row> rows =
        spark.range(0, 400, 1, 3).selectExpr("id AS one", "int(100 * rand()) AS other");
    try (TrainingFeed feed =
        TrainingFeed.of(rows.where("rand() < 0.5"), RowPulls.COLUMNS, FeedOptions.of(2, 1000))) {
      assertThat(feed.rows()).isBetween(100L, 300L);
      List<Set<String>> first = rows(feed, 0);
      assertThat(rows(feed, 1)).isEqualTo(first);
    }
  }

  private List<Set<String>> rows(TrainingFeed feed, long step) {
    return FeedRows.of(spark, feed.batches(), step, 0).stream()
        .map(shard -> (Set<String>) new HashSet<>(shard))
        .toList();
  }

  /** A feed that fails after it has packed the chunks of other shards. */
  @Test
  void aFeedThatFailsKeepsNoMemory() {
    Dataset<Row> rows = spark.range(0, 40_000, 1, 2).selectExpr("nullif(id, 39999L) AS one");
    Map<Integer, JavaRDD<?>> before = persisted(); // none of these is collected meanwhile
    assertRefused(
        rows,
        TrainingColumns.unlabeled().categorical(KeySpace.plain(), "one"),
        "column 'one' has a null");
    assertThat(persisted().keySet()).isEqualTo(before.keySet());
  }

  private Map<Integer, JavaRDD<?>> persisted() {
    return new HashMap<>(
        JavaSparkContext.fromSparkContext(spark.sparkContext()).getPersistentRDDs());
  }

  @Test
  void aClosedFeedIsAnError() {
    Dataset<Row> rows = spark.range(3).selectExpr("id AS one", "id AS other");
    TrainingFeed feed = TrainingFeed.of(rows, RowPulls.COLUMNS, FeedOptions.of(1, 4));
    Batches<?> batches = feed.batches();
    feed.close();
    feed.close();
    assertThatThrownBy(() -> FeedRows.of(spark, feed.batches(), 0, 0))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("closed");
    assertThat(batches).isNotNull();
  }

  @Test
  void keySpacesWithoutTheirIdAreErrors() {
    assertThatThrownBy(
            () ->
                new KeySpace(
                    KeySpace.Kind.PLAIN,
                    Optional.empty(),
                    0,
                    OptionalLong.empty(),
                    KeySpace.Missing.CHOSEN_ID,
                    OptionalLong.empty()))
        .isInstanceOf(SparkNdException.class);
  }
}
