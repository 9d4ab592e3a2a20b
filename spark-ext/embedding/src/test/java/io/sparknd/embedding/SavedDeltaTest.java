/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.SparkNdException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the size of deltas, and which files and tables they fit. */
class SavedDeltaTest {
  private static final int DIM = 16;
  private static final int PARTITIONS = 2;

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path folder;
  private Path saved;
  private String path;

  @BeforeEach
  void setPath() {
    saved = folder.resolve("t");
    path = saved.toString();
  }

  private static EmbeddingSpec spec(Optimizer optimizer) {
    return EmbeddingSpec.keyed(DIM, optimizer)
        .withInitializer(Initializer.uniform(-1, 1, 5))
        .withRowUsage()
        .withPartitions(PARTITIONS);
  }

  /** Returns the table after a step with the keys of {@code model}. */
  private static EmbeddingTable train(EmbeddingTable table, Pulls model) {
    return table.train(Batches.generated(1, model::batch), model).steps(1).run().table();
  }

  private EmbeddingTable saved() {
    EmbeddingTable table =
        train(
            EmbeddingTable.create(spark, spec(Optimizer.adam(0.1))),
            new Pulls(2000, 4000, KeyedTrainingPropertyTest::key));
    table.save(path);
    return table;
  }

  private static EmbeddingTable trainFew(EmbeddingTable table) {
    return train(table, new Pulls(300, 150, KeyedTrainingPropertyTest::key));
  }

  private List<Path> files(String part) throws IOException {
    try (Stream<Path> all = Files.list(saved)) {
      return all.filter(
              file ->
                  file.getFileName().toString().contains(part) && !file.toString().endsWith(".crc"))
          .sorted()
          .toList();
    }
  }

  private long bytes(String suffix) throws IOException {
    long bytes = 0;
    for (Path file : files(suffix)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /** A task gets the names of its own files, since there may be thousands of deltas. */
  @Test
  void taskOfALoadDoesNotGrowWithTheDeltas() throws IOException {
    EmbeddingTable table = saved();
    int before = taskBytes();
    for (int i = 0; i < 20; i++) {
      table = trainFew(table);
      table.saveDelta(path);
    }
    assertThat(taskBytes() - before).isBetween(0, 20 * Long.BYTES + 200);
  }

  /** Returns the bytes that Spark sends to every task of a load. */
  private int taskBytes() throws IOException {
    try (EmbeddingTable loaded = EmbeddingTable.load(spark, path)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(loaded.rdd().rdd());
      }
      return bytes.size();
    }
  }

  /** Bytes that changed are those of the weights and optimizer state of updated rows. */
  @Test
  void deltaHasAtMostTwelveTenthsOfTheBytesThatChanged() throws IOException {
    for (Optimizer optimizer : List.of(Optimizer.sgd(0.1), Optimizer.adam(0.1))) {
      path = folder.resolve(optimizer.getClass().getSimpleName()).toString();
      saved = Path.of(path);
      EmbeddingTable table =
          train(
              EmbeddingTable.create(spark, spec(optimizer)),
              new Pulls(3000, 9000, KeyedTrainingPropertyTest::key));
      table.save(path);
      long step = table.steps();
      table = trainFew(table);
      table.saveDelta(path);
      Map<Long, List<Long>> rows = StoredTables.rows(table);
      long changed = rows.values().stream().filter(row -> row.get(row.size() - 2) >= step).count();
      long values = DIM + optimizer.slots().size() * (long) DIM;
      long constant = 16 * PARTITIONS;
      assertThat(changed).isBetween(100L, rows.size() / 5L);
      assertThat(bytes(".delta"))
          .isBetween(
              Float.BYTES * changed * values, Float.BYTES * changed * values * 12 / 10 + constant);
    }
  }

  @Test
  void evictedRowsAreNotLoaded() throws IOException {
    EmbeddingTable table = saved();
    table = table.evict(RowEviction.toRows(1000, EvictionOrder.SMALLEST)).table();
    Map<Long, List<Long>> rows = StoredTables.rows(table);
    table.saveDelta(path);
    assertThat(StoredTables.rows(EmbeddingTable.load(spark, path))).isEqualTo(rows);
    EmbeddingTable next = trainFew(table);
    next.saveDelta(path);
    assertThat(StoredTables.rows(EmbeddingTable.load(spark, path)))
        .isEqualTo(StoredTables.rows(next));
    List<Path> deltas =
        files(".json").stream().filter(file -> file.toString().contains("delta")).toList();
    assertThat(deltas).hasSize(2);
  }

  @Test
  void deltasOfOtherNumbersOfPartitionsAreLoaded() {
    assertLoadedAfterRepartition(spec(Optimizer.sgd(1)).withAdmission(RowAdmission.after(2)), 3);
  }

  @Test
  @Tag("slow")
  void deltasOfManyNumbersOfPartitionsAreLoaded() {
    assertLoadedAfterRepartition(
        spec(Optimizer.adam(0.1)).withAdmission(RowAdmission.filtered(2, 100)), 5, 5, 1);
    path = folder.resolve("numbered").toString();
    assertLoadedAfterRepartition(
        EmbeddingSpec.of(4000, DIM, Optimizer.adam(0.1)).withRowUsage().withPartitions(2), 1, 5);
  }

  /** The ids of an eviction go to the partitions that own them, and rows with their deltas. */
  private void assertLoadedAfterRepartition(EmbeddingSpec spec, int... numbers) {
    Pulls model = new Pulls(500, 500, spec.isKeyed() ? KeyedTrainingPropertyTest::key : row -> row);
    EmbeddingTable table = train(train(EmbeddingTable.create(spark, spec), model), model);
    table.save(path);
    for (int partitions : numbers) {
      table = table.evict(RowEviction.small(2.5)).table();
      table = train(table.repartition(partitions), model);
      table = table.evict(RowEviction.rare(2)).table();
      Map<Long, List<Long>> rows = StoredTables.rows(table);
      table.repartition(4).saveDelta(path);
      table = EmbeddingTable.load(spark, path).repartition(partitions);
      assertThat(StoredTables.rows(table)).isEqualTo(rows);
      table = train(table, model);
      table.saveDelta(path);
      EmbeddingTable loaded = EmbeddingTable.load(spark, path);
      assertThat(loaded.toString()).isEqualTo(table.toString());
      assertThat(StoredTables.rows(loaded)).isEqualTo(StoredTables.rows(table)).isNotEmpty();
      assertThat(StoredTables.candidates(loaded)).isEqualTo(StoredTables.candidates(table));
    }
  }

  /** Of a delta that lost a file, no other file is taken for that of a partition. */
  @Test
  void deltaWithoutOneOfItsFilesIsAnError() throws IOException {
    trainFew(saved()).saveDelta(path);
    Path manifest = files("delta-00001").get(0);
    String json = Files.readString(manifest);
    String first = files(".delta").get(0).getFileName().toString();
    String less = json.replaceAll("\"" + first + "\"\\s*,\\s*", "");
    assertThat(less).isNotEqualTo(json);
    Files.writeString(manifest, less);
    Files.deleteIfExists(manifest.resolveSibling("." + manifest.getFileName() + ".crc"));
    assertRefused(() -> EmbeddingTable.load(spark, path), "1 files for 2 partitions");
    // as an earlier version wrote it
    Files.writeString(manifest, json.replaceAll("\"partitions\" : 2,", ""));
    assertThat(EmbeddingTable.load(spark, path).partitions()).isEqualTo(2);
    Files.writeString(manifest, less.replaceAll("\"partitions\" : 2,", ""));
    assertRefused(() -> EmbeddingTable.load(spark, path), "1 files for 2 partitions");
    for (String other : List.of("", "[]", "7", "{}")) {
      Files.writeString(manifest, other);
      assertRefused(() -> EmbeddingTable.load(spark, path), manifest.getFileName().toString());
    }
  }

  @Test
  void incompleteDeltaIsNotRead() throws IOException {
    EmbeddingTable table = saved();
    Map<Long, List<Long>> rows = StoredTables.rows(table);
    EmbeddingTable next = trainFew(table);
    next.saveDelta(path);
    Path manifest = files("delta-00001").get(0);
    // as after the loss of a driver that wrote all but the manifest
    Files.move(manifest, saved.resolve("." + manifest.getFileName() + ".1"));
    EmbeddingTable loaded = EmbeddingTable.load(spark, path);
    assertThat(StoredTables.rows(loaded)).isEqualTo(rows);
    EmbeddingTable again = trainFew(loaded);
    again.saveDelta(path);
    assertThat(StoredTables.rows(EmbeddingTable.load(spark, path)))
        .isEqualTo(StoredTables.rows(next));
  }

  @Test
  void onlyDescendantsOfTheLastCheckpointAreSaved() {
    EmbeddingTable unsaved = trainFew(EmbeddingTable.create(spark, spec(Optimizer.adam(0.1))));
    assertRefused(() -> unsaved.saveDelta(path), "is not a saved embedding table");
    EmbeddingTable table = saved();
    assertRefused(
        () -> unsaved.saveDelta(path),
        "the table at step 1 does not descend from the last checkpoint in " + path,
        "no checkpoint since it was created");
    EmbeddingTable one = trainFew(table);
    EmbeddingTable other = trainFew(table);
    one.saveDelta(path);
    assertRefused(() -> other.saveDelta(path), "that is delta 1 of the save", "from the save");
    EmbeddingTable.load(spark, path).saveDelta(path);
    assertRefused(() -> trainFew(one).saveDelta(path), "that is delta 2", "from delta 1 of");
  }

  @Test
  void deltasOfOtherSavesAndOutOfOrderAreRefused() throws IOException {
    EmbeddingTable table = trainFew(saved());
    table.saveDelta(path);
    table = trainFew(table);
    table.saveDelta(path);
    Path first = files("delta-00001").get(0);
    Path second = files("delta-00002").get(0);
    Path away = folder.resolve(first.getFileName());
    Files.move(first, away);
    assertRefused(
        () -> EmbeddingTable.load(spark, path),
        second.getFileName() + " in " + path + " is delta 2",
        "does not follow the 0 deltas");
    Files.move(away, first);
    Path twin = saved.resolve("delta-00002-twin.json");
    Files.copy(second, twin);
    assertRefused(() -> EmbeddingTable.load(spark, path), "two have the same number");
    Files.delete(twin);
    Path elsewhere = folder.resolve("elsewhere");
    table.save(elsewhere.toString());
    Files.copy(first, elsewhere.resolve(first.getFileName()));
    assertRefused(
        () -> EmbeddingTable.load(spark, elsewhere.toString()), "a delta of the saved table");
  }

  /** Of two deltas at the same time, one may remain, or none. */
  @Test
  void concurrentDeltasLeaveATableThatLoads() throws Exception {
    EmbeddingTable table = saved();
    List<EmbeddingTable> both = List.of(trainFew(table), trainFew(trainFew(table)));
    CyclicBarrier start = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Boolean>> saves =
          threads.invokeAll(both.stream().map(one -> attempt(one, start)).toList());
      long expected = table.steps();
      for (int i = 0; i < 2; i++) {
        expected = saves.get(i).get() ? both.get(i).steps() : expected;
      }
      assertThat(saves.get(0).get() && saves.get(1).get()).isFalse();
      assertThat(EmbeddingTable.load(spark, path).steps()).isEqualTo(expected);
    } finally {
      threads.shutdown();
    }
  }

  private Callable<Boolean> attempt(EmbeddingTable table, CyclicBarrier start) {
    return () -> {
      start.await();
      try {
        table.saveDelta(path);
        return true;
      } catch (SparkNdException e) { // which one depends on how far the other is
        return false;
      }
    };
  }

  /** The eviction keeps its ids for the checkpoint from which its result descends. */
  @Test
  void deltaHasTheIdsOfAnEvictionDuringASave() throws Exception {
    EmbeddingTable table = saved();
    Gate gate = new Gate();
    EmbeddingTable slow =
        EmbeddingTable.of(
            spark, table.spec(), table.rdd().map(gate::pass), table.steps(), table.checkpoint());
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Gate.reset();
      Future<EvictionResult> eviction = threads.submit(() -> slow.evict(RowEviction.small(100)));
      Gate.STARTED.await();
      slow.saveDelta(path);
      Gate.OPEN.countDown();
      EmbeddingTable rest = trainFew(eviction.get().table());
      assertRefused(() -> rest.saveDelta(path), "does not descend from the last checkpoint");
    } finally {
      Gate.OPEN.countDown();
      threads.shutdown();
    }
  }

  /** Makes the first task wait until the gate is open. */
  private static final class Gate implements Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicBoolean IS_FIRST = new AtomicBoolean();
    private static final CountDownLatch STARTED = new CountDownLatch(1);
    private static final CountDownLatch OPEN = new CountDownLatch(1);

    static void reset() {
      IS_FIRST.set(true);
    }

    EmbeddingPartition pass(EmbeddingPartition partition) throws InterruptedException {
      if (IS_FIRST.getAndSet(false)) {
        STARTED.countDown();
        OPEN.await();
      }
      return partition;
    }
  }

  /** In some locales, numbers are formatted with other digits than 0 to 9. */
  @Test
  void deltaSavedInAnotherLocaleIsLoaded() {
    EmbeddingTable table = trainFew(saved());
    Locale locale = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      table.saveDelta(path);
    } finally {
      Locale.setDefault(locale);
    }
    assertThat(EmbeddingTable.load(spark, path).steps()).isEqualTo(table.steps());
  }

  @Test
  void damagedDeltaIsAnError() throws IOException {
    trainFew(saved()).saveDelta(path);
    Path part = files(".delta").get(0);
    byte[] content = Files.readAllBytes(part);
    content[content.length / 2] ^= 1;
    Files.write(part, content);
    Files.deleteIfExists(part.resolveSibling("." + part.getFileName() + ".crc"));
    assertThatThrownBy(() -> EmbeddingTable.load(spark, path).writtenRows())
        .hasStackTraceContaining("CRC-32C checksum mismatch");
  }

  /** Settings that earlier versions did not save have the values that those versions used. */
  @Test
  void saveAndDeltaOfAnEarlierVersionAreRead() throws IOException {
    EmbeddingTable table = trainFew(saved());
    table.saveDelta(path);
    for (Path manifest : Stream.of("embedding", "delta-").map(this::manifest).toList()) {
      String json = Files.readString(manifest);
      String less = json.replaceAll("\"admission\" : \\{[^}]*},", "");
      assertThat(less).hasSizeLessThan(json.length() - 20);
      Files.writeString(manifest, less);
      Files.deleteIfExists(manifest.resolveSibling("." + manifest.getFileName() + ".crc"));
    }
    EmbeddingTable loaded = EmbeddingTable.load(spark, path);
    assertThat(StoredTables.rows(loaded)).isEqualTo(StoredTables.rows(table)).isNotEmpty();
  }

  private Path manifest(String start) {
    try {
      return files(start).stream()
          .filter(file -> file.toString().endsWith(".json"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A delta of a later format is not read as one of this. */
  @Test
  void deltaOfAnotherFormatIsAnError() throws IOException {
    trainFew(saved()).saveDelta(path);
    Path manifest = files("delta-00001").get(0);
    String json = Files.readString(manifest);
    Files.writeString(
        manifest, json.replace("\"format\" : 1", "\"format\" : 2, \"codec\" : \"zstd\""));
    Files.deleteIfExists(manifest.resolveSibling("." + manifest.getFileName() + ".crc"));
    assertRefused(() -> EmbeddingTable.load(spark, path), "its format is 2, not 1");
    Files.writeString(manifest, json.replace("\"format\" : 1", "\"format\" : 1, \"codec\" : 3"));
    assertRefused(
        () -> EmbeddingTable.load(spark, path), "field table.codec: unknown", "later version");
  }

  /** Otherwise the next delta would be refused, as the table knows nothing of this one. */
  @Test
  void deltaThatCannotBeComparedWithOthersIsWithdrawn() throws IOException {
    EmbeddingTable table = trainFew(saved());
    spark.sparkContext().hadoopConfiguration().set("fs.unlisted.impl", Unlisted.class.getName());
    try {
      assertRefused(() -> table.saveDelta("unlisted://" + path), "cannot be listed");
    } finally {
      spark.sparkContext().hadoopConfiguration().unset("fs.unlisted.impl");
    }
    assertThat(files("delta")).isEmpty();
    table.saveDelta(path);
    assertThat(EmbeddingTable.load(spark, path).steps()).isEqualTo(table.steps());
  }

  /** A local file system that fails once to list a directory with the manifest of a delta. */
  public static final class Unlisted extends RawLocalFileSystem {
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    @Override
    public URI getUri() {
      return URI.create("unlisted:///");
    }

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws IOException {
      FileStatus[] files = super.listStatus(path);
      boolean hasDelta =
          Stream.of(files).anyMatch(file -> file.getPath().getName().startsWith("delta-"));
      if (hasDelta && !hasFailed.getAndSet(true)) {
        throw new IOException(path + " cannot be listed");
      }
      return files;
    }
  }

  @Test
  void tableWithoutUsageIsRefused() {
    EmbeddingTable table =
        EmbeddingTable.create(
            spark, EmbeddingSpec.keyed(DIM, Optimizer.sgd(1)).withPartitions(PARTITIONS));
    table.save(path);
    assertRefused(() -> table.saveDelta(path), "EmbeddingTable.saveDelta needs", "withRowUsage()");
  }

  private static void assertRefused(ThrowingCallable call, String... messages) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContainingAll(messages);
  }
}
