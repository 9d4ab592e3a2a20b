/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.OnlineReplica.Store;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that a replica of a tensor, and a map that changes are applied to, equal the tensor after
 * random commits, deletes, compactions, changes of the size, rollbacks, expiries and publications,
 * of which some fail when a part of their rows is written.
 */
@Tag("slow")
class TensorPublishPropertyTest {
  private static final int STEPS = Integer.getInteger("sparknd.publish.steps", 60) / 4;
  private static final int ROWS = 20;

  private final SparkSession spark = TestTables.spark();
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final Map<String, List<String>> followed = new TreeMap<>();
  private OptionalLong followedUntil = OptionalLong.empty();

  @Test
  void replicaEqualsTheTensor() throws Exception {
    TensorTable table =
        TestTables.create(
            TensorSpec.of(DType.INT16, Shape.of(ROWS, 2))
                .withIndexColumns("user")
                .withFeatures("n", "city")
                .withRowsPerBlock(6));
    try (OnlineReplica replica = Store.SQLITE.start()) {
      scatter(table);
      table.publish(replica.sink());
      for (int step = 0; step < STEPS; step++) {
        change(table);
        if (random.nextInt(3) == 0) {
          publish(table, replica);
        }
        if (random.nextInt(3) == 0) {
          follow(table);
        }
      }
      table.publish(replica.sink());
      check(table, replica.rows(List.of("n", "city")));
      follow(table);
    }
  }

  private void change(TensorTable table) {
    switch (random.nextInt(10)) {
      case 0 -> table.compact();
      case 1 ->
          spark.sql(
              "DELETE FROM %s WHERE user %% 7 = %d".formatted(table.name(), random.nextInt(7)));
      case 2 -> rollBack(table);
      case 3 -> expire(table);
      case 4 -> resize(table);
      default -> scatter(table);
    }
  }

  /** Changes the size to any that the stored rows allow. */
  private void resize(TensorTable table) {
    long last =
        table.toDataset().selectExpr("coalesce(max(user), 0L)").first().getLong(0); // rows to keep
    table.resize(Math.max(last + 1, ROWS - 4 + random.nextInt(8)));
  }

  private void scatter(TensorTable table) {
    table.scatter(
        Scatter.add(),
        spark.sql(
            "SELECT int(rand(%1$d) * %3$d) AS i, array(smallint(rand(%1$d + 1) * 3), 0S) AS v FROM range(%2$d)"
                .formatted(random.nextInt(1000), 1 + random.nextInt(8), table.shape().dim(0))),
        TensorColumns.of("v", "i"));
  }

  private void expire(TensorTable table) {
    if (random.nextInt(3) == 0) {
      table.expire(Retention.of(Duration.ZERO));
    }
  }

  private void rollBack(TensorTable table) {
    table.iceberg().refresh();
    List<Snapshot> all = new ArrayList<>();
    table.iceberg().snapshots().forEach(all::add);
    long to = all.get(random.nextInt(all.size())).snapshotId();
    table.iceberg().manageSnapshots().setCurrentSnapshot(to).commit();
    table.resize(ROWS + 8); // the state may have rows that are beyond the size of now
  }

  private void publish(TensorTable table, OnlineReplica replica) throws Exception {
    if (random.nextBoolean()) {
      String user = Integer.toString(random.nextInt(ROWS));
      replica.refuse(user);
      try {
        table.publish(replica.sink());
      } catch (SparkNdException e) {
        assertThat(e).as("seed " + seed).message().contains("publish again");
      } finally {
        replica.accept(user);
      }
    } else {
      table.publish(replica.sink());
      check(table, replica.rows(List.of("n", "city")));
    }
  }

  private void follow(TensorTable table) {
    table.iceberg().refresh();
    boolean isKnown =
        followedUntil.isPresent() && table.iceberg().snapshot(followedUntil.getAsLong()) != null;
    if (isKnown) {
      table
          .changesSince(table.snapshot(followedUntil.getAsLong()))
          .collectAsList()
          .forEach(this::apply);
    } else {
      followed.clear();
      followed.putAll(rows(table));
    }
    followedUntil = table.snapshot();
    check(table, followed);
  }

  private void apply(Row row) {
    String user = row.get(0).toString();
    List<String> before =
        row.getString(3).equals("DELETE")
            ? followed.remove(user)
            : followed.put(user, List.of(row.get(1).toString(), row.get(2).toString()));
    assertThat(before == null).as("seed " + seed).isEqualTo(row.getString(3).equals("INSERT"));
  }

  private void check(TensorTable table, Map<String, List<String>> replica) {
    assertThat(replica).as("seed " + seed).isEqualTo(rows(table));
  }

  private static Map<String, List<String>> rows(TensorTable table) {
    Map<String, List<String>> rows = new TreeMap<>();
    for (Row row : table.toDataset().collectAsList()) {
      List<String> slice = row.getList(1).stream().map(String::valueOf).toList();
      assertThat(rows.put(row.get(0).toString(), slice)).as("row %s twice", row.get(0)).isNull();
    }
    return rows;
  }
}
