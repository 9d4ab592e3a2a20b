/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.ROWS;
import static io.sparknd.table.HookedLake.plus;
import static io.sparknd.table.HookedLake.read;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.Scatter;
import io.sparknd.table.HookedIO.Step;
import io.sparknd.table.exceptions.CommitUnknownException;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.iceberg.TableProperties;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the guarantees for REST and PostgreSQL catalogs, including lost responses. */
@Tag("slow")
class OtherCatalogsTest {
  private static final Retention ALL = Retention.of(Duration.ZERO);

  private final SparkSession spark = HookedLake.spark();

  @Test
  void restCatalogGivesTheSameGuarantees(@TempDir Path directory) throws Exception {
    try (RestServer server = RestServer.start(directory)) {
      addCatalog("rest", Map.of("type", "rest", "uri", server.address()));
      checkPromises("rest.tests.t");
    }
  }

  @Test
  void postgresCatalogGivesTheSameGuarantees(@TempDir Path directory) throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      addPostgres(server, "postgres", directory);
      checkPromises("postgres.tests.t");
    }
  }

  /** The server dies after it received the commit, so the outcome is unknown. */
  @Test
  void serverFailureDuringACommitLosesNoFile(@TempDir Path directory) throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      addPostgres(server, "dying", directory);
      TensorTable table = TensorTable.create(spark, "dying.tests.t", HookedLake.spec());
      send(table, "b1", 1);
      AtomicBoolean isStopped = new AtomicBoolean();
      HookedIO.Hook hook =
          (step, path, bytes) -> {
            boolean isCommit = step == Step.CLOSED && path.endsWith(".metadata.json");
            if (isCommit && !isStopped.getAndSet(true)) {
              stop(server);
            }
          };
      try (AutoCloseable hooked = HookedIO.with(hook)) {
        assertThatThrownBy(() -> send(table, "b2", 10))
            .isInstanceOf(CommitUnknownException.class)
            .hasMessageContaining("did not say whether table dying.tests.t was committed");
      }
      server.startAgain();
      assertThat(send(table, "b2", 10).outcome()).isEqualTo(Outcome.COMMITTED);
      assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 11));
      table.expire(ALL);
      table.removeOrphans(Duration.ZERO);
      HookedLake.assertNoOrphans(table);
    }
  }

  /** The commit succeeded, so its files must be kept. */
  @Test
  void commitWithALostResponseIsFoundInTheTable(@TempDir Path directory) throws Exception {
    try (RestServer server = RestServer.start(directory)) {
      addCatalog("lossy", Map.of("type", "rest", "uri", server.address()));
      TensorTable table = TensorTable.create(spark, "lossy.tests.t", HookedLake.spec());
      send(table, "b1", 1);
      server.loseAnswers(1);
      TableCommit commit = send(table, "b2", 10);
      assertThat(commit.outcome()).isEqualTo(Outcome.COMMITTED);
      assertThat(commit.snapshot()).isEqualTo(table.snapshot().getAsLong());
      assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 11));
      table.scatter(Scatter.add(), updates(0, 2, 100), COLUMNS);
      server.loseAnswers(1);
      TableCommit compaction = table.compact();
      assertThat(compaction.blocks()).isEqualTo(1);
      assertThat(compaction.snapshot()).isEqualTo(table.snapshot().getAsLong());
      server.loseAnswers(2);
      table.expire(ALL);
      table.removeOrphans(Duration.ZERO);
      assertThat(read(table)).isEqualTo(plus(plus(new long[ROWS], 0, 20, 11), 0, 2, 100));
      assertThat(send(table, "b1", 1).outcome()).isEqualTo(Outcome.REPLAYED);
      HookedLake.assertNoOrphans(table);
    }
  }

  /** The second try conflicts with the first one, which succeeded: its files must be kept. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "4"})
  void commitThatTheClientSendsTwiceIsFoundInTheTable(String retries, @TempDir Path directory)
      throws Exception {
    String catalog = "proxied" + retries;
    try (RestServer server = RestServer.start(directory)) {
      addCatalog(catalog, Map.of("type", "rest", "uri", server.address()));
      TensorTable table =
          TensorTable.create(
              spark,
              catalog + ".tests.t",
              HookedLake.spec().withProperty(TableProperties.COMMIT_NUM_RETRIES, retries));
      send(table, "b1", 1);
      server.askAgain(1);
      TableCommit commit = send(table, "b2", 10);
      assertThat(commit.outcome()).isEqualTo(Outcome.COMMITTED);
      assertThat(commit.snapshot()).isEqualTo(table.snapshot().getAsLong());
      assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 11));
      server.askAgain(1);
      table.scatter(Scatter.add(), updates(0, 2, 100), COLUMNS);
      assertThat(read(table)).isEqualTo(plus(plus(new long[ROWS], 0, 20, 11), 0, 2, 100));
      server.askAgain(1);
      assertThat(table.compact().blocks()).isEqualTo(1);
      assertThat(read(table)).isEqualTo(plus(plus(new long[ROWS], 0, 20, 11), 0, 2, 100));
      table.removeOrphans(Duration.ZERO);
      HookedLake.assertNoOrphans(table);
    }
  }

  /** The table needs the manifest list of the first try. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "4"})
  void changesThatTheClientSendsTwiceAreFoundInTheTable(String retries, @TempDir Path directory)
      throws Exception {
    String catalog = "changed" + retries;
    try (RestServer server = RestServer.start(directory)) {
      addCatalog(catalog, Map.of("type", "rest", "uri", server.address()));
      spark.conf().set("spark.sql.catalog." + catalog, TensorCatalog.class.getName());
      FeatureTable table =
          FeatureTable.create(
              spark,
              catalog + ".tests.t",
              FeatureTableSpec.numbered("id", 10)
                  .with(Variable.of("n", "BIGINT"))
                  .withProperty(TableProperties.COMMIT_NUM_RETRIES, retries));
      table.scatter(spark.sql("SELECT id, 1L AS n FROM range(10)"));
      server.askAgain(1);
      table.resize(20);
      server.askAgain(1);
      table.addVariable(Variable.of("m", "DOUBLE"));
      server.askAgain(1);
      spark.sql(
          "ALTER TABLE "
              + table.name()
              + " SET TBLPROPERTIES ('sparknd.variable.m.reduction' = 'mean')");
      server.askAgain(1);
      table.renameVariable("m", "o");
      table.scatter(spark.sql("SELECT 15L AS id, 2L AS n, 3D AS o"));
      assertThat(spark.table(table.name()).where("o = 3 OR id = 9").collectAsList()).hasSize(2);
      table.removeOrphans(Duration.ZERO);
      assertThat(table.toDataset().count()).isEqualTo(11);
    }
  }

  private void checkPromises(String name) throws Exception {
    TensorTable table = TensorTable.create(spark, name, HookedLake.spec());
    send(table, "first", 1);
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Future<TableCommit>> sent = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String batch = "b" + i / 2;
      sent.add(pool.submit(() -> send(TensorTable.open(spark, name), batch, 10)));
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (Future<TableCommit> each : sent) {
      outcomes.add(each.get().outcome());
    }
    pool.shutdown();
    assertThat(outcomes.stream().filter(Outcome.COMMITTED::equals)).hasSize(3);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 31));
    table.compact();
    table.expire(ALL);
    table.removeOrphans(Duration.ZERO);
    assertThat(send(table, "b1", 10).outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(read(table)).isEqualTo(plus(new long[ROWS], 0, 20, 31));
    HookedLake.assertNoOrphans(table);
  }

  private void addPostgres(PostgresServer server, String name, Path warehouse) {
    addCatalog(
        name,
        Map.of(
            "type",
            "jdbc",
            "uri",
            server.address(),
            "jdbc.user",
            "nd",
            "jdbc.schema-version",
            "V1",
            "io-impl",
            HookedIO.class.getName(),
            "warehouse",
            warehouse.toUri().toString()));
  }

  private void addCatalog(String name, Map<String, String> settings) {
    String catalog = "spark.sql.catalog." + name;
    spark.conf().set(catalog, "org.apache.iceberg.spark.SparkCatalog");
    settings.forEach((key, value) -> spark.conf().set(catalog + "." + key, value));
  }

  private static void stop(PostgresServer server) {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static TableCommit send(TensorTable table, String batch, long value) {
    return table
        .write()
        .scatter(Scatter.add(), updates(0, 20, value), COLUMNS)
        .batchId(batch)
        .commit();
  }
}
