/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests processes that write to one table concurrently and are killed. The table equals the batches
 * applied by the local kernel in the order of their snapshots, and has every batch that was
 * reported as committed.
 */
@Tag("slow")
class TableWritersTest {
  private static final int WRITERS = 4;
  private static final int COMMITS = 4;
  private static final int ROUNDS = 2;
  private static final int MOST_WRITERS = 10 * WRITERS;
  private static final Retention KEEP = Retention.of(Duration.ofSeconds(15));
  private static final Retention NOTHING = Retention.of(Duration.ZERO);

  @TempDir Path directory;

  private final SparkSession spark = LocalSpark.session();
  private final TreeMap<Long, String> batches = new TreeMap<>();
  private final Map<Disturbance, Integer> successes = new EnumMap<>(Disturbance.class);
  private Path catalog;
  private TensorTable table;

  /** What else happens to the table. */
  private enum Disturbance {
    COMPACTION,
    INSERT,
    DELETE,
    EXPIRY,
    REWRITE
  }

  @BeforeEach
  void makeTable() {
    String name = "writers" + Integer.toUnsignedString(directory.hashCode());
    catalog = directory.resolve("catalog");
    LocalCatalog.addTo(spark, name, catalog);
    table =
        TensorTable.create(
            spark,
            name + ".tests.t",
            TensorSpec.of(DType.FLOAT32, WriterProcess.SHAPE)
                .withRowsPerBlock(WriterProcess.ROWS_PER_BLOCK));
  }

  @Test
  void concurrentWriterProcessesLoseNoBatch() throws Exception {
    List<WriterProcess> writers = new ArrayList<>();
    try {
      boolean isRow = false;
      for (int round = 0; isWriting(writers); round++) {
        isRow = disturb(round, isRow);
        Thread.sleep(500);
      }
      for (WriterProcess writer : writers) {
        assertThat(writer.exit()).as(writer.log()).isZero();
        assertThat(writer.committed()).hasSize(COMMITS);
      }
      collect();
      assertThat(batches).hasSize(writers.size() * COMMITS);
      assertHolds(isRow);
      assertThat(successes).as("disturbances").containsOnlyKeys(Disturbance.values());
    } finally {
      writers.forEach(WriterProcess::close);
    }
  }

  /**
   * Keeps so many processes writing until each disturbance has succeeded; returns whether any
   * process writes.
   */
  private boolean isWriting(List<WriterProcess> writers) throws Exception {
    long alive = writers.stream().filter(WriterProcess::isAlive).count();
    boolean isMore =
        writers.isEmpty()
            || successes.size() < Disturbance.values().length && writers.size() < MOST_WRITERS;
    while (isMore && alive < WRITERS) {
      writers.add(start(writers.size(), COMMITS));
      alive++;
    }
    return alive > 0;
  }

  /** Runs a maintenance action or a foreign write; returns whether the foreign row exists. */
  private boolean disturb(int round, boolean isRow) {
    switch (round % 5) {
      case 0 -> {
        table.compact();
        succeeded(Disturbance.COMPACTION);
      }
      case 1, 3 -> {
        return foreign(isRow);
      }
      case 2 -> {
        collect();
        table.expire(KEEP);
        succeeded(Disturbance.EXPIRY);
      }
      default -> rewrite();
    }
    return isRow;
  }

  private void succeeded(Disturbance disturbance) {
    successes.merge(disturbance, 1, Integer::sum);
  }

  /** Whether a writer committed first. */
  private static boolean isLost(RuntimeException e) {
    return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
        .anyMatch(
            cause ->
                cause instanceof CommitFailedException || cause instanceof ValidationException);
  }

  private boolean foreign(boolean isRow) {
    int row = WriterProcess.LAST + 1;
    try {
      spark.sql(
          isRow
              ? "DELETE FROM " + table.name() + " WHERE i0 = " + row
              : "INSERT INTO " + table.name() + " SELECT " + row + "L, array(1f, 2f, 3f, 4f)");
      succeeded(isRow ? Disturbance.DELETE : Disturbance.INSERT);
      return !isRow;
    } catch (RuntimeException e) {
      if (!isLost(e)) {
        throw e;
      }
      return isRow;
    }
  }

  private void rewrite() {
    try {
      table.iceberg().refresh();
      SparkSession.setActiveSession(spark); // Iceberg's action looks for a catalog in it
      SparkActions.get(spark)
          .rewriteDataFiles(table.iceberg())
          .option("rewrite-all", "true")
          .execute();
      succeeded(Disturbance.REWRITE);
    } catch (RuntimeException e) {
      if (!isLost(e)) {
        throw e;
      }
    }
  }

  @Test
  void killedWritersLoseNoCommittedBatch() throws Exception {
    Random random = new Random(5);
    List<WriterProcess> killed = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<WriterProcess> writers = List.of(start(2 * round, 1000), start(2 * round + 1, 1000));
      killed.addAll(writers);
      try {
        for (WriterProcess writer : writers) {
          while (writer.isAlive() && writer.committed().isEmpty()) {
            Thread.sleep(20);
          }
          Thread.sleep(random.nextInt(1500));
          writer.kill();
        }
      } finally {
        writers.forEach(WriterProcess::close);
      }
      WriterProcess.send(spark, table, "own-" + round);
    }
    collect();
    assertHolds(false);
    for (WriterProcess writer : killed) {
      assertThat(writer.committed()).as(writer.log()).isNotEmpty();
      assertThat(batches.values()).containsAll(writer.committed());
    }
    long told = killed.stream().mapToLong(writer -> writer.committed().size()).sum();
    assertThat(batches.size()).isBetween((int) told + ROUNDS, (int) told + ROUNDS + killed.size());
    table.expire(NOTHING);
    table.removeOrphans(Duration.ZERO);
    HookedLake.assertNoOrphans(table);
    assertHolds(false);
  }

  private WriterProcess start(int writer, int commits) throws Exception {
    Path log = Files.createTempFile(directory, "writer", ".log");
    return WriterProcess.start(catalog, log, table.name(), writer, commits);
  }

  /** Records which batches the snapshots hold before they expire. */
  private void collect() {
    table.iceberg().refresh();
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table.iceberg())) {
      String batch = snapshot.summary().get("sparknd.batch-id");
      if (batch != null) {
        batches.put(snapshot.sequenceNumber(), batch);
      }
    }
  }

  private void assertHolds(boolean isRow) {
    assertThat(batches.values()).doesNotHaveDuplicates();
    Tensor expected = Tensor.zeros(DType.FLOAT32, WriterProcess.SHAPE);
    for (String batch : batches.values()) {
      expected = Kernels.auto().scatter(expected, WriterProcess.batch(batch));
    }
    float[] values = ((float[]) expected.array()).clone();
    int width = (int) WriterProcess.SHAPE.dim(1);
    int row = (WriterProcess.LAST + 1) * width;
    IntStream.range(0, width).forEach(i -> values[row + i] = isRow ? i + 1 : 0);
    try (DistributedTensor loaded = table.load(Partitioning.AUTO)) {
      TensorAssert.assertSameBits(
          loaded.collect(), Tensor.wrap(DType.FLOAT32, WriterProcess.SHAPE, values));
    }
  }
}
