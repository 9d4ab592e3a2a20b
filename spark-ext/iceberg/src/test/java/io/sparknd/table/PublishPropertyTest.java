/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.OnlineReplica.Store;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that a replica equals the table after random commits, evictions, compactions, rollbacks,
 * expiries and publications, of which some fail when a part of their rows is written.
 */
@Tag("slow")
class PublishPropertyTest {
  private static final int STEPS = Integer.getInteger("sparknd.publish.steps", 60);

  private final SparkSession spark = TestTables.spark();
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @EnumSource(Store.class)
  void replicaEqualsTheTable(Store store) throws Exception {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("city", "string"))
                .withProperty("sparknd.rows-per-bucket", "4")
                .withBuckets(3));
    try (OnlineReplica replica = store.start()) {
      table.scatter(spark.sql("SELECT 'u0' AS user, 1L AS n"));
      table.publish(replica.sink());
      for (int step = 0; step < STEPS; step++) {
        change(table);
        if (random.nextInt(3) == 0) {
          publish(table, replica);
        }
      }
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
        table.publish(replica.sink());
      } catch (SparkNdException e) {
        assertThat(e).as("seed " + seed).message().containsAnyOf("users:" + user, "publish again");
      } finally {
        replica.accept(user);
      }
    } else {
      table.publish(replica.sink());
      check(table, replica);
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
