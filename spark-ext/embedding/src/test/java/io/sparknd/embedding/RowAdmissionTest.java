/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.internal.rows.StoredRows;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when keys get rows. */
class RowAdmissionTest {
  private final SparkSession spark = LocalSpark.session();

  private static EmbeddingSpec spec(long steps) {
    return EmbeddingSpec.keyed(1, Optimizer.sgd(1))
        .withInitializer(Initializer.constant(1))
        .withAdmission(RowAdmission.after(steps))
        .withPartitions(2);
  }

  /** Returns the version after a step with a gradient of 0.25 for each key. */
  private EmbeddingTable step(EmbeddingTable table, String keys) {
    return step(table, keys, "0.25");
  }

  private EmbeddingTable step(EmbeddingTable table, String keys, String gradient) {
    String value = "array(float('" + gradient + "'))";
    return table.apply(
        spark.sql("SELECT id, " + value + " AS g FROM (SELECT explode(array(" + keys + ")) AS id)"),
        TensorColumns.of("g", "id"));
  }

  private static Map<Long, Float> weights(EmbeddingTable table) {
    Map<Long, Float> weights = new TreeMap<>();
    KeyedTrainingPropertyTest.rows(table).forEach((key, row) -> weights.put(key, row[0]));
    return weights;
  }

  @Test
  void keyGetsARowInTheStepThatItsCountReaches(@TempDir Path folder) {
    EmbeddingTable table = step(EmbeddingTable.create(spark, spec(2)), "5, 5, 5, 6");
    assertThat(weights(table)).isEmpty(); // 5 occurs in one step only
    String saved = folder.resolve("t").toString();
    table.save(saved);
    EmbeddingTable loaded = EmbeddingTable.load(spark, saved);
    assertThat(loaded.spec()).isEqualTo(table.spec());
    for (EmbeddingTable one : List.of(table, loaded, table.repartition(5))) {
      EmbeddingTable next = step(one, "5, 7");
      assertThat(weights(next)).isEqualTo(Map.of(5L, 0.75f));
      assertThat(weights(step(next, "5, 6"))).isEqualTo(Map.of(5L, 0.5f, 6L, 0.75f));
      assertThat(StoredTables.candidates(next)).containsOnlyKeys(6L, 7L);
    }
  }

  @Test
  void evictedKeyIsCountedAgainAndIdleKeysAreForgotten() {
    EmbeddingTable table = EmbeddingTable.create(spark, spec(2).withRowUsage());
    table = step(step(step(table, "1, 2"), "1"), "3");
    EvictionResult evicted = table.evict(RowEviction.idle(1));
    assertThat(evicted.rows()).isEqualTo(1);
    assertThat(StoredTables.candidates(evicted.table())).containsOnlyKeys(3L);
    EmbeddingTable next = step(evicted.table(), "1, 2, 3");
    assertThat(weights(next)).containsOnlyKeys(3L);
    assertThat(weights(step(next, "1"))).containsOnlyKeys(1L, 3L);
  }

  @Test
  void skippedGradientsCountNeitherForAdmissionNorAsUpdates() {
    EmbeddingTable table =
        EmbeddingTable.create(spark, spec(2).withRowUsage().withBadGradients(BadGradients.skip()));
    table = step(step(table, "5", "NaN"), "5");
    assertThat(StoredTables.candidates(table)).isEqualTo(Map.of(5L, List.of(1L, 1L)));
    table = step(step(table, "5"), "5", "NaN");
    long bits = Float.floatToRawIntBits(0.75f);
    assertThat(StoredTables.rows(table)).isEqualTo(Map.of(5L, List.of(bits, 2L, 1L)));
  }

  @Test
  void admittedKeysAreRemovedFromTheCandidates() {
    EmbeddingTable table = EmbeddingTable.create(spark, spec(2).withPartitions(1));
    for (int i = 0; i < 8; i++) {
      int first = 100 * i;
      table =
          step(
              table,
              IntStream.range(first, first + 200)
                  .mapToObj(String::valueOf)
                  .collect(Collectors.joining(", ")));
    }
    assertThat(table.writtenRows()).isEqualTo(700);
    assertThat(StoredTables.candidates(table)).hasSize(200);
    StoredRows reader = new StoredRows(table.layout(), table.directory());
    assertThat(table.rdd().map(reader::candidateSlots).first()).isBetween(200L, 600L);
  }

  @Test
  void admissionOutOfBoundsOrOfNumbersIsRefused() {
    assertThatThrownBy(() -> RowAdmission.after(0))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("steps of RowAdmission.after is 0; it must be at least 1");
    assertRefused(() -> RowAdmission.filtered(0, 9), "steps of RowAdmission.filtered is 0");
    assertRefused(() -> RowAdmission.filtered(65_537, 9), "it must be 1 to 65536");
    assertRefused(() -> RowAdmission.filtered(2, 0), "keys of RowAdmission.filtered is 0");
    assertRefused(() -> RowAdmission.filtered(2, (1L << 32) + 1), "must be 1 to 4294967296");
    for (double rate : new double[] {0, 0.51, Double.NaN}) {
      assertRefused(
          () -> RowAdmission.filtered(2, 9).withEarlyRate(rate), "earlyRate", "0.0001 to 0.5");
    }
    EmbeddingSpec numbered = EmbeddingSpec.of(9, 1, Optimizer.sgd(1));
    assertThatThrownBy(() -> numbered.withAdmission(RowAdmission.after(2)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("numbers below 9");
  }

  private static void assertRefused(ThrowingCallable call, String... messages) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContainingAll(messages);
  }
}
