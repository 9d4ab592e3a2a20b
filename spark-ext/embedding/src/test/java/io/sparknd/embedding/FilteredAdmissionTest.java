/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests admission by a counting Bloom filter that has so many keys that hundreds of them share all
 * their counters with others.
 */
class FilteredAdmissionTest {
  private static final int KEYS = 20_000;
  private static final TensorColumns COLUMNS = TensorColumns.of("g", "id");
  private static final RowAdmission FULL =
      RowAdmission.filtered(4, 1).withEarlyRate(0.2).withSeed(3);

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path folder;

  /** What happens to a table. */
  private enum Event {
    STEP,
    EVICTED,
    REPARTITIONED,
    SAVED,
    DELTA
  }

  private static EmbeddingSpec spec(RowAdmission admission, int partitions) {
    return EmbeddingSpec.keyed(1, Optimizer.sgd(1))
        .withInitializer(Initializer.constant(1))
        .withRowUsage()
        .withAdmission(admission)
        .withPartitions(partitions);
  }

  /** Returns a gradient for each of a third of the keys, others in each step. */
  private Dataset<Row> gradients(long step) {
    return spark
        .range(0, KEYS, 1, 3)
        .selectExpr("xxhash64(id) AS id", "array(float(0.25)) AS g")
        .where("pmod(xxhash64(id, " + step + "L), 3) = 0");
  }

  private Map<Long, float[]> sums(long step) {
    Map<Long, float[]> sums = new HashMap<>();
    for (Row row : gradients(step).select("id").collectAsList()) {
      sums.put(row.getLong(0), new float[] {0.25f});
    }
    return sums;
  }

  @Test
  void sameRowsAtEveryNumberOfPartitions() throws IOException {
    assertSameRows(List.of(), List.of(3));
  }

  @Test
  @Tag("slow")
  void sameRowsAtEveryNumberOfPartitionsInARandomHistory() throws IOException {
    List<Event> more =
        new SplittableRandom(2)
            .ints(5, 0, Event.values().length)
            .mapToObj(i -> Event.values()[i])
            .toList();
    assertSameRows(more, List.of(1, 2, 7));
  }

  private void assertSameRows(List<Event> more, List<Integer> partitions) throws IOException {
    List<Event> events = new ArrayList<>(List.of(Event.STEP, Event.STEP, Event.STEP));
    events.addAll(List.of(Event.values()));
    events.addAll(more);
    NaiveTrainer naive = new NaiveTrainer(spec(FULL, 1));
    List<EmbeddingTable> tables = new ArrayList<>();
    for (int count : partitions) {
      tables.add(EmbeddingTable.create(spark, spec(FULL, count)));
    }
    String saved = folder.resolve("saved").toString();
    for (Event event : events) {
      RowEviction idle = RowEviction.idle(1);
      if (event == Event.STEP) {
        naive.apply(Optimizer.sgd(1), sums(tables.get(0).steps()));
      } else if (event == Event.EVICTED) {
        naive.evict(idle);
      }
      for (int i = 0; i < tables.size(); i++) {
        EmbeddingTable table = tables.get(i);
        tables.set(i, after(event, table, idle, saved + i));
      }
    }
    assertThat(naive.stored()).isNotEmpty();
    for (EmbeddingTable table : tables) {
      assertThat(StoredTables.rows(table)).isEqualTo(naive.stored());
      assertThat(StoredTables.candidates(table)).isEqualTo(naive.candidates());
    }
  }

  private EmbeddingTable after(Event event, EmbeddingTable table, RowEviction idle, String path)
      throws IOException {
    return switch (event) {
      case STEP -> table.apply(gradients(table.steps()), COLUMNS);
      case EVICTED -> table.evict(idle).table();
      case REPARTITIONED -> table.repartition(table.partitions() % 5 + 2);
      case SAVED -> KeyedTrainingPropertyTest.stopped(table, KeyedTrainingPropertyTest.Stop.SAVED);
      case DELTA -> {
        String directory = path + "-" + table.steps() + "-" + System.nanoTime();
        table.save(directory);
        EmbeddingTable next = table.apply(gradients(table.steps()), COLUMNS);
        EmbeddingTable rest = next.evict(idle).table();
        rest.saveDelta(directory);
        EmbeddingTable loaded = EmbeddingTable.load(spark, directory);
        assertThat(StoredTables.rows(loaded)).isEqualTo(StoredTables.rows(rest));
        assertThat(StoredTables.candidates(loaded)).isEqualTo(StoredTables.candidates(rest));
        yield table;
      }
    };
  }

  /** A key has its row in the step that exact counts give it one, or before. */
  @Test
  void keysAreAdmittedEarlyButNeverLate() {
    EmbeddingTable exact = EmbeddingTable.create(spark, spec(RowAdmission.after(3), 2));
    EmbeddingTable full =
        EmbeddingTable.create(spark, spec(RowAdmission.filtered(3, 1).withEarlyRate(0.5), 2));
    EmbeddingTable fits = EmbeddingTable.create(spark, spec(RowAdmission.filtered(3, KEYS), 2));
    for (long step = 0; step < 4; step++) {
      exact = exact.apply(gradients(step), COLUMNS);
      full = full.apply(gradients(step), COLUMNS);
      fits = fits.apply(gradients(step), COLUMNS);
      assertThat(StoredTables.rows(full).keySet()).containsAll(StoredTables.rows(exact).keySet());
      assertThat(StoredTables.rows(fits).keySet()).containsAll(StoredTables.rows(exact).keySet());
    }
    long early = fits.writtenRows() - exact.writtenRows();
    assertThat(early).isBetween(0L, KEYS / 100L); // at most the early rate of 0.01
    assertThat(full.writtenRows()).isGreaterThan(exact.writtenRows() + KEYS / 100);
  }

  @Test
  void anEvictedKeyIsAdmittedAgainUntilItsCountIsForgotten() {
    EmbeddingTable table = EmbeddingTable.create(spark, spec(RowAdmission.filtered(2, 100), 2));
    table = step(step(table, 7), 7);
    assertThat(table.writtenRows()).isEqualTo(1);
    EmbeddingTable evicted = table.evict(RowEviction.small(100)).table();
    assertThat(evicted.writtenRows()).isZero();
    assertThat(step(evicted, 7).writtenRows()).isEqualTo(1);
    EmbeddingTable later = step(step(evicted, 8), 8).evict(RowEviction.idle(1)).table();
    later = step(step(later, 9), 9).evict(RowEviction.idle(1)).table();
    assertThat(StoredTables.rows(step(later, 7))).doesNotContainKey(7L);
  }

  private EmbeddingTable step(EmbeddingTable table, long key) {
    return table.apply(
        spark.range(key, key + 1).selectExpr("id", "array(float(0.25)) AS g"), COLUMNS);
  }

  @Test
  void specAndFilterAreSaved() {
    RowAdmission admission = RowAdmission.filtered(3, 1000).withEarlyRate(0.05).withSeed(-4);
    EmbeddingTable table = step(EmbeddingTable.create(spark, spec(admission, 2)), 5);
    String path = folder.resolve("t").toString();
    table.save(path);
    EmbeddingTable loaded = EmbeddingTable.load(spark, path);
    assertThat(loaded.spec()).isEqualTo(table.spec());
    assertThat(StoredTables.candidates(loaded)).isEqualTo(StoredTables.candidates(table));
    assertThat(StoredTables.candidates(loaded)).hasSize(4); // a counter per hash
  }

  /** A manifest whose admission has other counters than the files would admit other keys. */
  @Test
  void filesOfAnotherAdmissionAreRefused() throws IOException {
    String[] changes = {
      "\"keys\" : 1000", "\"keys\" : 100000000",
      "\"seed\" : 0", "\"seed\" : 1",
      "\"earlyRate\" : 0.01", "\"earlyRate\" : 0.0001",
      "\"earlyRate\" : 0.01", "\"earlyRate\" : 2",
      "\"kind\" : \"filtered\"", "\"kind\" : \"counted\""
    };
    for (int i = 0; i < changes.length; i += 2) {
      Path path = folder.resolve("changed" + i);
      step(EmbeddingTable.create(spark, spec(RowAdmission.filtered(3, 1000), 2)), 5)
          .save(path.toString());
      Path manifest = path.resolve("embedding.json");
      String json = Files.readString(manifest);
      String changed = json.replace(changes[i], changes[i + 1]);
      assertThat(changed).isNotEqualTo(json);
      Files.writeString(manifest, changed);
      Files.deleteIfExists(path.resolve(".embedding.json.crc"));
      assertThatThrownBy(() -> EmbeddingTable.load(spark, path.toString()).writtenRows())
          .as(changes[i + 1])
          .hasStackTraceContaining(
              i < 6 ? "the saved admission" : "is not a saved embedding table");
    }
  }

  @Test
  void damagedFilterIsAnError() throws IOException {
    Path path = folder.resolve("damaged");
    step(EmbeddingTable.create(spark, spec(RowAdmission.filtered(3, 1000), 1)), 5)
        .save(path.toString());
    try (Stream<Path> all = Files.list(path)) {
      Path rows = all.filter(file -> file.toString().endsWith(".rows")).findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(rows);
      Files.write(rows, Arrays.copyOf(bytes, bytes.length - 60)); // ends within a bucket
      Files.deleteIfExists(rows.resolveSibling("." + rows.getFileName() + ".crc"));
    }
    assertThatThrownBy(() -> EmbeddingTable.load(spark, path.toString()).writtenRows())
        .hasStackTraceContaining("CRC-32C checksum mismatch");
  }
}
