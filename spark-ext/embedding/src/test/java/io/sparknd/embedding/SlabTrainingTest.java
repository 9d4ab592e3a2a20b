/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.LocalMapOutputs;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of tables whose pages are in slabs after a training in local mode: they have the bits of
 * the naive trainer at every partition count, and whatever is done with them.
 */
class SlabTrainingTest {
  private static final int SHARDS = 2;
  private static final int STEPS = 3;
  private static final long ROWS = 3000;
  private static final Pulls MODEL = new Pulls(ROWS, 2000);
  private static final EmbeddingSpec NUMBERED =
      EmbeddingSpec.of(ROWS, 8, Optimizer.adam(0.05))
          .withInitializer(Initializer.uniform(-1, 1, 3))
          .withRowUsage()
          .withPartitions(2);
  private static final EmbeddingSpec KEYED =
      EmbeddingSpec.keyed(8, Optimizer.adagrad(0.05))
          .withInitializer(Initializer.uniform(-1, 1, 3))
          .withRowUsage()
          .withPartitions(2);

  @TempDir private Path directory;

  private static Training<long[]> training(EmbeddingTable table) {
    return table.train(Batches.generated(SHARDS, MODEL::batch), MODEL).steps(STEPS);
  }

  private static EmbeddingTable trained(EmbeddingSpec spec) {
    EmbeddingTable table =
        training(EmbeddingTable.create(LocalSpark.session(), spec)).run().table();
    assertThat(StoredTables.blocksInSlabs(table)).as("%s", spec).isPositive();
    return table;
  }

  private static NaiveTrainer naive(EmbeddingSpec spec) {
    NaiveTrainer naive = new NaiveTrainer(spec);
    naive.train(MODEL, SHARDS, STEPS, 1);
    return naive;
  }

  private static void assertStored(EmbeddingTable table, NaiveTrainer naive) {
    assertThat(StoredTables.rows(table)).as("%s", table).isEqualTo(naive.stored());
  }

  @Test
  void everyPartitionCountHasTheSameBits() {
    NaiveTrainer naive = naive(NUMBERED);
    for (int partitions : List.of(1, 3)) {
      EmbeddingTable table = trained(NUMBERED.withPartitions(partitions));
      assertStored(table, naive);
      TensorAssert.assertSameBits(table.weights().collect(), naive.weights());
      table.close();
    }
    assertThat(LocalMapOutputs.shuffles()).isZero();
  }

  @Test
  @Tag("slow")
  void everyLayoutHasTheSameBits() {
    for (EmbeddingSpec spec :
        List.of(
            NUMBERED.withDType(DType.FLOAT16).withRounding(WeightRounding.STOCHASTIC),
            NUMBERED.withDType(DType.BFLOAT16).withStateDType(DType.BFLOAT16),
            KEYED.withStateDType(DType.BFLOAT16))) {
      EmbeddingTable table = trained(spec);
      assertStored(table, naive(spec));
      table.close();
    }
  }

  /** The second training copies what it changes out of the slabs of the first. */
  @Test
  void aTrainingLeavesTheSlabsOfItsTable() {
    for (EmbeddingSpec spec : List.of(NUMBERED, KEYED)) {
      EmbeddingTable first = trained(spec);
      Map<Long, List<Long>> before = StoredTables.rows(first);
      NaiveTrainer naive = naive(spec);
      EmbeddingTable second = training(first).stepsPerJob(2).run().table();
      naive.train(MODEL, SHARDS, STEPS, 2);
      assertStored(second, naive);
      assertThat(StoredTables.rows(first)).isEqualTo(before);
      assertChanges(second, first, before, naive.stored());
    }
  }

  private static void assertChanges(
      EmbeddingTable table,
      EmbeddingTable since,
      Map<Long, List<Long>> before,
      Map<Long, List<Long>> after) {
    Map<Long, List<Long>> changed = new TreeMap<>();
    for (Row row : table.changesSince(since).collectAsList()) {
      changed.put(row.getLong(0), bits(row.getList(1)));
    }
    after.forEach(
        (id, stored) -> {
          List<Long> weights = stored.subList(0, table.dim());
          boolean isSame =
              before.containsKey(id) && before.get(id).subList(0, table.dim()).equals(weights);
          assertThat(changed.remove(id)).as("row %d", id).isEqualTo(isSame ? null : weights);
        });
    assertThat(changed).isEmpty();
  }

  private static List<Long> bits(List<Float> values) {
    return values.stream().map(value -> (long) Float.floatToRawIntBits(value)).toList();
  }

  @Test
  @Tag("slow")
  void rowsThatAreEvictedLeaveTheSlabs() {
    for (EmbeddingSpec spec : List.of(NUMBERED, KEYED)) {
      EmbeddingTable table = trained(spec);
      NaiveTrainer naive = naive(spec);
      Map<Long, List<Long>> before = StoredTables.rows(table);
      RowEviction half = RowEviction.toRows(before.size() / 2, EvictionOrder.SMALLEST);
      EmbeddingTable rest = table.evict(half).table();
      naive.evict(half);
      assertStored(rest, naive);
      assertThat(StoredTables.rows(table)).isEqualTo(before);
      EmbeddingTable further = training(rest).run().table();
      naive.train(MODEL, SHARDS, STEPS, 1);
      assertStored(further, naive);
    }
  }

  @Test
  @Tag("slow")
  void savedAndMovedTablesHaveTheRowsOfTheSlabs() {
    for (EmbeddingSpec spec : List.of(NUMBERED, KEYED)) {
      EmbeddingTable table = trained(spec);
      NaiveTrainer naive = naive(spec);
      String saved = directory.resolve(spec.isKeyed() ? "keyed" : "numbered").toString();
      table.save(saved);
      assertStored(EmbeddingTable.load(LocalSpark.session(), saved), naive);
      EmbeddingTable moved = table.repartition(3);
      assertStored(moved, naive);
      EmbeddingTable further = training(moved).run().table();
      naive.train(MODEL, SHARDS, STEPS, 1);
      assertStored(further, naive);
      further.repartition(2).save(saved + "-further");
      assertStored(EmbeddingTable.load(LocalSpark.session(), saved + "-further"), naive);
    }
  }

  @Test
  @Tag("slow")
  void aDeltaHasTheRowsOfTheSlabs() {
    EmbeddingTable table = trained(NUMBERED);
    String saved = directory.resolve("saved").toString();
    table.save(saved);
    EmbeddingTable further = training(table).run().table();
    NaiveTrainer naive = naive(NUMBERED);
    naive.train(MODEL, SHARDS, STEPS, 1);
    further.saveDelta(saved);
    assertStored(EmbeddingTable.load(LocalSpark.session(), saved), naive);
  }

  @Test
  void weightsWithoutUsageHaveTheSameBits() {
    EmbeddingSpec spec =
        EmbeddingSpec.of(ROWS, 16, Optimizer.rowWiseAdagrad(0.1)).withPartitions(2);
    Tensor expected = naive(spec).weights();
    EmbeddingTable table = trained(spec);
    TensorAssert.assertSameBits(table.weights().collect(), expected);
    assertThat(table.toDataset().count()).isEqualTo(table.writtenRows());
  }
}
