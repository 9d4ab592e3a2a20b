/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.OnlineReplica.Store;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TablePublication.Kind;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that a replica equals the table after random commits, evictions, compactions, rollbacks,
 * expiries and publications, of which some fail when a part of their rows is written, and the
 * process of some is killed.
 */
@Tag("slow")
class PublishPropertyTest {
  private static final int STEPS = Integer.getInteger("sparknd.publish.steps", 20);

  /** A process is killed in one of so many steps; starting one takes some seconds. */
  private static final int STEPS_A_KILL = 15;

  /** Milliseconds in which most publications of a new process end. */
  private static final int DURATION = 1500;

  private static final String CATALOG = "published" + ProcessHandle.current().pid();

  @TempDir static Path lake;

  private final SparkSession spark = TestTables.spark();
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private int refused;

  @ParameterizedTest
  @EnumSource(Store.class)
  void replicaEqualsTheTable(Store store) throws Exception {
    StreamProcess.catalog(CATALOG, lake).forEach(spark.conf()::set);
    FeatureTable table =
        FeatureTable.create(
            spark,
            CATALOG + ".shop.users_" + store.name().toLowerCase(Locale.ROOT),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("city", "string"))
                .withProperty("sparknd.rows-per-bucket", "4")
                .withBuckets(3));
    try (OnlineReplica replica = store.start()) {
      table.scatter(spark.sql("SELECT 'u0' AS user, 1L AS n"));
      table.publish(replica.sink());
      int kills = 0;
      for (int step = 0; step < STEPS; step++) {
        change(table);
        if (store != Store.H2 && random.nextInt(STEPS_A_KILL) == 0) { // H2 is in this process
          kills += kill(table, replica);
        } else if (random.nextInt(3) == 0) {
          publish(table, replica);
        }
      }
      while (refused == 0) {
        table.scatter(spark.sql("SELECT 'u" + random.nextInt(20) + "' AS user, 1L AS n"));
        publish(table, replica);
      }
      for (int i = 0; store != Store.H2 && kills == 0 && i < 20; i++) {
        change(table);
        kills += kill(table, replica);
      }
      assertThat(kills > 0).as("kills of seed %d", seed).isEqualTo(store != Store.H2);
      table.publish(replica.sink());
      check(table, replica);
    }
  }

  private void change(FeatureTable table) {
    switch (random.nextInt(10)) {
      case 0 -> table.compact();
      case 1 -> table.evict("user <= 'u" + random.nextInt(10) + "' AND n % 2 = 0");
      case 2 -> rollBack(table);
      case 3 -> {
        if (random.nextInt(3) == 0) {
          table.expire(Retention.of(Duration.ZERO));
        }
      }
      default ->
          table.scatter(
              spark.sql(
                  "SELECT 'u' || int(rand(%1$d) * 20) AS user, int(rand(%1$d + 1) * 9) AS n, 'c%1$d' AS city FROM range(%2$d)"
                      .formatted(random.nextInt(1000), 1 + random.nextInt(8))));
    }
  }

  private void rollBack(FeatureTable table) {
    table.iceberg().refresh();
    List<Snapshot> all = new ArrayList<>();
    table.iceberg().snapshots().forEach(all::add);
    long to = all.get(random.nextInt(all.size())).snapshotId();
    table.iceberg().manageSnapshots().setCurrentSnapshot(to).commit();
  }

  private void publish(FeatureTable table, OnlineReplica replica) throws Exception {
    if (random.nextBoolean()) {
      String user = "u" + random.nextInt(20);
      replica.refuse(user);
      try {
        if (table.publish(replica.sink()).kind() == Kind.FULL) {
          replica.forgetRefused();
        }
      } catch (SparkNdException e) {
        assertThat(e).as("seed " + seed).message().containsAnyOf("users:" + user, "publish again");
        refused++;
      } finally {
        replica.accept(user);
      }
    } else {
      table.publish(replica.sink());
      check(table, replica);
    }
  }

  /** Publishes in another process, which is killed; returns 1 if it had not ended. */
  private int kill(FeatureTable table, OnlineReplica replica) throws Exception {
    try (PublishProcess process = PublishProcess.start(lake, table.name(), replica.sink())) {
      return process.killedAfter(random.nextInt(DURATION)) ? 1 : 0;
    }
  }

  private void check(FeatureTable table, OnlineReplica replica) throws Exception {
    Map<String, List<String>> expected = new TreeMap<>();
    for (Row row : spark.table(table.name()).select("user", "n", "city").collectAsList()) {
      List<String> values = new ArrayList<>();
      values.add(row.isNullAt(1) ? null : row.get(1).toString());
      values.add(row.getString(2));
      expected.put(row.getString(0), values);
    }
    assertThat(replica.rows(List.of("n", "city"))).as("seed " + seed).isEqualTo(expected);
  }
}
