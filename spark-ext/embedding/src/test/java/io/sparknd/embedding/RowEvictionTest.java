/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.internal.rows.StoredRows;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what eviction says, refuses, and leaves. */
class RowEvictionTest {
  private final SparkSession spark = LocalSpark.session();

  private static EmbeddingSpec keyed() {
    return EmbeddingSpec.keyed(2, Optimizer.sgd(1))
        .withInitializer(Initializer.constant(1))
        .withPartitions(3);
  }

  /** Returns the version after a step with a gradient of (g, g) for each key. */
  private EmbeddingTable step(EmbeddingTable table, double gradient, String keys) {
    String value = "array(float(" + gradient + "), float(" + gradient + "))";
    return table.apply(
        spark.sql("SELECT id, " + value + " AS g FROM (SELECT explode(array(" + keys + ")) AS id)"),
        TensorColumns.of("g", "id"));
  }

  private List<Float> weights(EmbeddingTable table, long key) {
    Row row =
        table
            .lookup(
                Lookup.sum(),
                spark.sql("SELECT array(bigint(" + key + ")) AS ids"),
                LookupColumns.of("ids"))
            .first();
    return row.getList(1);
  }

  @Test
  void evictedKeyStartsAgainFromTheInitializer() {
    EmbeddingTable table = step(EmbeddingTable.create(spark, keyed().withRowUsage()), 0.5, "1, 2");
    table = step(table, 0.25, "2, 3");
    EvictionResult evicted = table.evict(RowEviction.idle(1));
    assertThat(evicted.rows()).isEqualTo(1);
    assertThat(evicted.table().steps()).isEqualTo(2);
    assertThat(weights(table, 1)).containsExactly(0.5f, 0.5f);
    assertThat(weights(evicted.table(), 1)).containsExactly(1f, 1f);
    assertThat(weights(evicted.table(), 2)).containsExactly(0.25f, 0.25f);
    EmbeddingTable next = step(evicted.table(), 0.125, "1");
    assertThat(weights(next, 1)).containsExactly(0.875f, 0.875f);
    assertThat(next.writtenRows()).isEqualTo(3);
    assertThat(next.evict(RowEviction.rare(2)).rows()).isEqualTo(2); // 1 counts from its new row
  }

  @Test
  void tiesGoInTheOrderOfIds() {
    EmbeddingTable table = EmbeddingTable.create(spark, keyed().withRowUsage());
    table = step(table, 0.5, "7, -9, 0, 123456789012, 8");
    for (EvictionOrder order : EvictionOrder.values()) {
      EmbeddingTable rest = table.evict(RowEviction.toRows(3, order)).table();
      assertThat(StoredTables.rows(rest)).containsOnlyKeys(7L, 8L, 123456789012L);
      assertThat(table.evict(RowEviction.toRows(5, order)).rows()).isZero();
      assertThat(table.evict(RowEviction.toRows(0, order)).rows()).isEqualTo(5);
      // a row has 8 bytes of id, 16 of usage and 8 of weights
      assertThat(table.evict(RowEviction.toBytes(95, order)).rows()).isEqualTo(3);
      assertThat(table.evict(RowEviction.toBytes(96, order)).rows()).isEqualTo(2);
    }
  }

  @Test
  void keysNeedNoUsageForTheNorm() {
    EmbeddingTable table = step(EmbeddingTable.create(spark, keyed()), 0.5, "1, 2");
    table = step(table, 0.25, "2"); // norms of (0.5, 0.5) and (0.25, 0.25)
    assertThat(table.evict(RowEviction.small(0.5)).rows()).isEqualTo(1);
    assertThat(table.evict(RowEviction.small(0.3)).rows()).isZero();
    EvictionResult one = table.evict(RowEviction.toRows(1, EvictionOrder.SMALLEST));
    assertThat(StoredTables.rows(one.table())).containsOnlyKeys(1L);
  }

  /** Otherwise evictions without deltas would fill the memory. */
  @Test
  void idsAreKeptForADeltaOnlyIfThereCanBeOne(@TempDir Path folder) {
    for (EmbeddingSpec spec : List.of(keyed(), keyed().withRowUsage())) {
      EmbeddingTable table = step(EmbeddingTable.create(spark, spec), 0.5, "1, 2, 3");
      StoredRows reader = new StoredRows(table.layout(), table.directory());
      RowEviction all = RowEviction.small(9);
      assertThat(evictedIds(table.evict(all).table(), reader)).isZero();
      table.save(folder.resolve(spec.usage().toString()).toString());
      assertThat(evictedIds(table.evict(all).table(), reader))
          .isEqualTo(spec.usage() == RowUsage.NOTHING ? 0 : 3);
    }
  }

  private static long evictedIds(EmbeddingTable table, StoredRows reader) {
    return table.rdd().map(reader::evictedIds).reduce(Long::sum);
  }

  @Test
  void tableWithoutTheUsageIsRefused() {
    EmbeddingTable keyed = EmbeddingTable.create(spark, keyed());
    assertRefused(() -> keyed.evict(RowEviction.idle(1)), "LEAST_RECENT", "withRowUsage()");
    assertRefused(
        () -> keyed.evict(RowEviction.toRows(1, EvictionOrder.LEAST_FREQUENT)), "LEAST_FREQUENT");
    EmbeddingTable numbered =
        EmbeddingTable.create(spark, EmbeddingSpec.of(9, 2, Optimizer.sgd(1)));
    assertRefused(() -> numbered.evict(RowEviction.small(1)), "whose ids are numbers");
  }

  @Test
  void argumentsOutOfBoundsAreRefused() {
    assertRefused(() -> RowEviction.idle(0), "steps of RowEviction.idle is 0", "at least 1");
    assertRefused(() -> RowEviction.rare(0), "updates of RowEviction.rare is 0");
    assertRefused(() -> RowEviction.small(Double.NaN), "norm of RowEviction.small is NaN");
    assertRefused(() -> RowEviction.toRows(-1, EvictionOrder.SMALLEST), "is -1", "at least 0");
    assertRefused(() -> RowEviction.toBytes(-1, EvictionOrder.SMALLEST), "is -1", "at least 0");
  }

  private static void assertRefused(ThrowingCallable call, String... messages) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContainingAll(messages);
  }
}
