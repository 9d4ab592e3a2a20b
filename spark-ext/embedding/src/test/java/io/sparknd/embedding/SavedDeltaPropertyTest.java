/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.lifecycle.RowEviction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.util.ShutdownHookManager;

/** Tests that a save and its deltas are loaded as the table that a full save has, bit for bit. */
class SavedDeltaPropertyTest {

  /** What happens between two checkpoints. */
  enum Change {
    TRAINED,
    EVICTED,
    REPARTITIONED,
    DELTA,
    DELTA_LOADED,
    DELTA_LOADED_WITH_OPTIMIZER
  }

  /** The input of one trial. */
  record Run(RowEvictionPropertyTest.Run table, List<Change> changes) {}

  @Property(tries = 6, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void loadedAsAFullSaveInManyTries(@ForAll("runs") Run run) throws IOException {
    loadedAsAFullSave(run);
  }

  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void loadedAsAFullSave(@ForAll("runs") Run run) throws IOException {
    EmbeddingSpec spec = run.table().spec();
    Pulls model = run.table().model();
    Path folder = Files.createTempDirectory("sparknd-deltas");
    ShutdownHookManager.registerShutdownDeleteDir(folder.toFile());
    String saved = folder.resolve("t").toString();
    NaiveTrainer naive = new NaiveTrainer(spec);
    EmbeddingTable table = train(EmbeddingTable.create(LocalSpark.session(), spec), model);
    naive.train(model, 2, 2, 1);
    table.save(saved);
    int evictions = 0;
    for (Change change : run.changes()) {
      switch (change) {
        case TRAINED -> {
          table = train(table, model);
          naive.train(model, 2, 2, 1);
        }
        case EVICTED -> {
          List<RowEviction> all = run.table().evictions();
          RowEviction eviction = all.get(evictions++ % all.size());
          table = table.evict(eviction).table();
          naive.evict(eviction);
        }
        case REPARTITIONED -> table = table.repartition(table.partitions() % 5 + 1);
        case DELTA -> table.saveDelta(saved);
        case DELTA_LOADED -> {
          table.saveDelta(saved);
          table = EmbeddingTable.load(LocalSpark.session(), saved);
        }
        case DELTA_LOADED_WITH_OPTIMIZER -> {
          table.saveDelta(saved);
          table = EmbeddingTable.load(LocalSpark.session(), saved, spec.optimizer());
        }
      }
      assertThat(StoredTables.rows(table)).isEqualTo(naive.stored());
      assertThat(StoredTables.candidates(table)).isEqualTo(naive.candidates());
    }
    table.saveDelta(saved);
    assertSameAsFullSave(table, saved, folder.resolve("full").toString(), naive);
  }

  private static EmbeddingTable train(EmbeddingTable table, Pulls model) {
    return table.train(Batches.generated(2, model::batch), model).steps(2).run().table();
  }

  private static void assertSameAsFullSave(
      EmbeddingTable table, String deltas, String full, NaiveTrainer expected) {
    EmbeddingTable loaded = EmbeddingTable.load(LocalSpark.session(), deltas);
    assertThat(loaded.toString()).isEqualTo(table.toString());
    assertThat(loaded.spec()).isEqualTo(table.spec());
    assertThat(StoredTables.rows(loaded)).isEqualTo(expected.stored());
    assertThat(StoredTables.candidates(loaded)).isEqualTo(expected.candidates());
    assertThat(loaded.writtenRows()).isEqualTo(table.writtenRows());
    table.save(full);
    EmbeddingTable whole = EmbeddingTable.load(LocalSpark.session(), full);
    assertThat(StoredTables.rows(whole)).isEqualTo(expected.stored());
    assertThat(StoredTables.candidates(whole)).isEqualTo(expected.candidates());
    assertThat(whole.steps()).isEqualTo(loaded.steps());
  }

  @Provide
  Arbitrary<Run> runs() {
    return Combinators.combine(
            new RowEvictionPropertyTest().runs(),
            Arbitraries.of(Change.class).list().ofMinSize(3).ofMaxSize(7))
        .as(Run::new);
  }
}
