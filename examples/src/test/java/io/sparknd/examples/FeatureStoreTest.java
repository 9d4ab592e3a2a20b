/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import io.sparknd.examples.shop.OnlineStore;
import io.sparknd.examples.shop.PlainSql;
import io.sparknd.examples.shop.ShopEvents;
import io.sparknd.examples.shop.ShopWorkflow;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.RedisServer;
import io.sparknd.table.TensorCatalog;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import redis.clients.jedis.Jedis;

@Tag("slow")
class FeatureStoreTest {
  private static final int DAYS = 4;
  private static final long PER_DAY = 1000;
  private static final String NO_REDIS = "redis://127.0.0.1:1";

  @TempDir static Path directory;

  private static SparkSession spark;
  private static ShopEvents events;
  private static boolean isRight;

  @BeforeAll
  static void run() throws Exception {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "2");
    Path lake = Files.createDirectory(directory.resolve("lake"));
    LocalCatalog.settings("lake", lake).forEach(builder::config);
    builder.config("spark.sql.catalog.lake", TensorCatalog.class.getName());
    spark = builder.getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    events = new ShopEvents(directory.resolve("events"), 10_000, PER_DAY, DAYS);
    isRight = new ShopWorkflow(spark, events, directory.resolve("checkpoint"), NO_REDIS).run();
  }

  @AfterAll
  static void stop() throws Exception {
    spark.close();
  }

  @Test
  void featuresMatchPlainSql() {
    assertThat(isRight).isTrue();
  }

  @Test
  void everyEventCountsOnce() {
    long counted = sum("SELECT sum(views + purchases) FROM lake.shop.users");
    long profiles = events.all(spark).where("kind = 'profile'").count();
    assertThat(counted + profiles).isEqualTo(DAYS * PER_DAY);
  }

  @Test
  void tagKeepsTheLastNight() {
    LocalDate last = events.batches().get(DAYS - 2);
    long then =
        events.all(spark).where("batch <= DATE'" + last + "' AND kind <> 'profile'").count();
    assertThat(
            sum(
                "SELECT sum(views + purchases) FROM lake.shop.users VERSION AS OF '"
                    + ShopWorkflow.TAG
                    + "'"))
        .isEqualTo(then);
    assertThat(spark.table("lake.shop.users.snapshots").count()).isEqualTo(2);
  }

  @Test
  void someEventsAreLateAndSomeUsersHaveMany() {
    Dataset<Row> all = events.all(spark);
    assertThat(all.where("to_date(at) < batch").count()).isBetween(50L, 150L);
    assertThat(all.groupBy("batch", "user").count().where("count > 10").count()).isPositive();
  }

  @Test
  void everyDayHasNewUsers() {
    assertThat(
            events
                .all(spark)
                .groupBy("user")
                .agg(functions.min("batch").as("first"))
                .groupBy("first")
                .count()
                .where("count > 50")
                .count())
        .isEqualTo(DAYS);
    assertThat(spark.table("lake.shop.users").where("user RLIKE '^u[0-9]{7}$'").count())
        .isEqualTo(events.all(spark).select("user").distinct().count());
  }

  @Test
  void streamMakesOneCommitPerFile() {
    FeatureTable users = FeatureTable.open(spark, "lake.shop.users");
    String properties = users.iceberg().properties().toString();
    assertThat(Pattern.compile("stream ").matcher(properties).results()).hasSize(3);
    assertThat(users.orphans(Duration.ZERO)).isEmpty();
  }

  @Test
  void comparisonSeesMissingAndRepeatedRows() {
    Dataset<Row> one = spark.sql("SELECT 1 AS a, 2 AS b");
    Dataset<Row> twice = one.union(one);
    assertThat(PlainSql.areSame(one, one)).isTrue();
    assertThat(PlainSql.areSame(one, twice)).isFalse();
    assertThat(PlainSql.areSame(twice, one)).isFalse();
  }

  @Test
  void statementsOfThePageRun() {
    events.of(spark, events.batches().get(0)).createOrReplaceTempView("night");
    List<String> statements =
        Page.of("docs/how-to/feature-store.md").blocks("sql").stream().map(Block::text).toList();
    assertThat(statements).hasSize(3);
    assertThat(spark.sql(statements.get(0)).count()).isPositive();
    assertThat(spark.sql(statements.get(1)).where("batch IS NOT NULL").count()).isPositive();
  }

  @Test
  void mergeOfThePageGivesTheSameTable() {
    String merge = Page.of("docs/how-to/feature-store.md").blocks("sql").get(2).text();
    spark.sql(
        "CREATE TABLE lake.shop.merged USING iceberg AS SELECT * FROM lake.shop.users LIMIT 0");
    for (LocalDate batch : events.batches()) {
      events.of(spark, batch).createOrReplaceTempView("night");
      spark.sql(merge.replace("lake.shop.users", "lake.shop.merged"));
    }
    assertThat(PlainSql.areSame(spark.table("lake.shop.merged"), spark.table("lake.shop.users")))
        .isTrue();
  }

  @Test
  void existingFolderIsAnError() {
    FeatureStore example =
        CommandLine.populateCommand(new FeatureStore(), "--dir", directory.toString());
    assertThatThrownBy(example::run)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("already exists");
  }

  @ParameterizedTest
  @CsvSource({
    "--days, 3, 4, 2147483647",
    "--events, 0, 1, 86400000",
    "--events, 86400001, 1, 86400000",
    "--users, 0, 1, 9223372036854775807"
  })
  void optionsOutOfBoundsAreErrors(String option, long value, long least, long most) {
    FeatureStore example =
        CommandLine.populateCommand(new FeatureStore(), option, Long.toString(value));
    assertThatThrownBy(example::run)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(option + " is " + value)
        .hasMessageContaining("from " + least + " to " + most);
  }

  @Test
  void usersAreServedFromRedis() throws Exception {
    assertThat(OnlineStore.isAt(NO_REDIS)).isFalse();
    try (RedisServer server = RedisServer.start();
        Jedis redis = server.client()) {
      FeatureTable users = FeatureTable.open(spark, "lake.shop.users");
      OnlineStore store = new OnlineStore(users, server.address());
      assertThat(store.publish().upserted()).isEqualTo(users.toDataset().count());
      assertThat(store.publish().upserted()).isZero();
      List<Row> rows = users.toDataset().select("user", "views").collectAsList();
      List<String> names =
          Stream.concat(rows.stream().map(row -> row.getString(0)), Stream.of("nobody")).toList();
      List<Long> views =
          Stream.concat(rows.stream().map(row -> row.getLong(1)), Stream.of(0L)).toList();
      assertThat(store.views(names)).isEqualTo(views);
      redis.set("of others", "stays");
      store.remove(names);
      assertThat(redis.keys("*")).containsExactly("of others");
    }
  }

  private static long sum(String query) {
    return spark.sql(query).first().getLong(0);
  }
}
