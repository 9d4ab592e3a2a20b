/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.LocalCluster;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that evictions and deltas during which an executor is lost are complete, or not there. */
@Tag("slow")
class LifecycleLossTest {
  private static final Pulls MODEL = new Pulls(1500, 1000, KeyedTrainingPropertyTest::key);
  private static final RowEviction BOUND = RowEviction.toRows(300, EvictionOrder.LEAST_RECENT);
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.keyed(8, Optimizer.adam(0.01))
          .withInitializer(Initializer.uniform(-0.5, 0.5, 3))
          .withRowUsage()
          .withAdmission(RowAdmission.filtered(2, 1000))
          .withPartitions(4);

  /** Names of the tables whose first task in this JVM was delayed. */
  private static final Set<String> DELAYED = ConcurrentHashMap.newKeySet();

  @TempDir private Path directory;

  /** Kills an executor that runs a task. */
  private static final class Killer extends SparkListener {
    private final AtomicInteger removed = new AtomicInteger();
    private volatile Map<String, Long> processes = Map.of();

    static Killer in(LocalCluster cluster) {
      Killer killer = new Killer();
      cluster.session().sparkContext().addSparkListener(killer);
      return killer;
    }

    void arm(LocalCluster cluster) {
      removed.set(0);
      processes = cluster.processes();
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart task) {
      Long process = processes.get(task.taskInfo().executorId());
      if (process != null) {
        processes = Map.of();
        sleep(100); // until the driver knows that the task runs: only then it has failed
        ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      removed.incrementAndGet();
    }

    void assertKilled() {
      for (int i = 0; i < 100 && removed.get() == 0; i++) {
        sleep(100);
      }
      assertThat(removed).hasPositiveValue();
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Returns a table of which the first task of each executor takes so long that it is killed. */
  private static EmbeddingTable slow(EmbeddingTable table, String name) {
    return EmbeddingTable.of(
        table.spark(),
        table.spec(),
        table.rdd().map(partition -> late(partition, name)),
        table.steps(),
        table.checkpoint());
  }

  private static EmbeddingPartition late(EmbeddingPartition partition, String name) {
    if (DELAYED.add(name)) {
      sleep(2000);
    }
    return partition;
  }

  /** Returns a table that was trained and saved. */
  private static EmbeddingTable saved(LocalCluster cluster, NaiveTrainer naive, Path to) {
    EmbeddingTable table = train(EmbeddingTable.create(cluster.session(), SPEC), naive);
    table.save(to.toString());
    return table;
  }

  private static EmbeddingTable train(EmbeddingTable table, NaiveTrainer naive) {
    naive.train(MODEL, 2, 2, 1);
    return table.train(Batches.generated(2, MODEL::batch), MODEL).steps(2).run().table();
  }

  private static void assertSame(EmbeddingTable table, NaiveTrainer naive) {
    assertThat(StoredTables.rows(table)).isEqualTo(naive.stored());
    assertThat(StoredTables.candidates(table)).isEqualTo(naive.candidates());
  }

  private List<String> deltas(Path saved) throws IOException {
    try (Stream<Path> files = Files.list(saved)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("delta-"))
          .toList();
    }
  }

  /** Tasks run again, and lost partitions are computed again. */
  @Test
  void evictionAndDeltaAreCompleteAfterTheLossOfAnExecutor() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(Map.of())) {
      Killer killer = Killer.in(cluster);
      NaiveTrainer naive = new NaiveTrainer(SPEC);
      Path saved = directory.resolve("t");
      EmbeddingTable table = saved(cluster, naive, saved);
      table = train(table, naive);
      killer.arm(cluster);
      EvictionResult evicted = slow(table, "evicted").evict(BOUND);
      killer.assertKilled();
      assertThat(evicted.rows()).isEqualTo(naive.evict(BOUND));
      assertSame(evicted.table(), naive);
      killer.arm(cluster);
      slow(evicted.table(), "saved").saveDelta(saved.toString());
      killer.assertKilled();
      assertThat(deltas(saved)).hasSize(1);
      assertSame(EmbeddingTable.load(cluster.session(), saved.toString()), naive);
    }
  }

  /** With one attempt for each task, the job fails with its executor. */
  @Test
  void failedEvictionAndDeltaChangeNothing() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(Map.of("spark.task.maxFailures", "1"))) {
      Killer killer = Killer.in(cluster);
      NaiveTrainer naive = new NaiveTrainer(SPEC);
      Path saved = directory.resolve("t");
      EmbeddingTable table = saved(cluster, naive, saved);
      NaiveTrainer before = new NaiveTrainer(SPEC);
      before.train(MODEL, 2, 2, 1);
      EmbeddingTable next = train(table, naive);
      killer.arm(cluster);
      assertThatThrownBy(() -> slow(next, "evicted").evict(BOUND))
          .hasStackTraceContaining("failed 1 times");
      assertSame(next, naive);
      killer.arm(cluster);
      assertThatThrownBy(() -> slow(next, "saved").saveDelta(saved.toString()))
          .hasStackTraceContaining("failed 1 times");
      assertThat(deltas(saved)).isEmpty();
      assertSame(EmbeddingTable.load(cluster.session(), saved.toString()), before);
      cluster.processes();
      EmbeddingTable rest = next.evict(BOUND).table();
      naive.evict(BOUND);
      rest.saveDelta(saved.toString());
      assertSame(EmbeddingTable.load(cluster.session(), saved.toString()), naive);
    }
  }
}
