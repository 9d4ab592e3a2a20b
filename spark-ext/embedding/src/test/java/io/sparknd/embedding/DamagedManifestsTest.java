/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.DamagedJson;
import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.files.SmallFiles;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.optimizer.Clip;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.LearningRateSchedule;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a value of a manifest that is missing, null or of another type is named. */
class DamagedManifestsTest {
  /** What is allowed: earlier versions did not save all fields, and not all need a value. */
  private static final Set<String> ALLOWED =
      Set.of(
          "/stateDType is missing",
          "/rounding is missing",
          "/badGradients is missing",
          "/id is missing",
          "/usage is missing",
          "/admission is missing",
          "/partitions is missing",
          "/table/admission is missing",
          "/best is null",
          "/batches/query is missing");

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private static EmbeddingSpec spec() {
    return EmbeddingSpec.keyed(
            4,
            Optimizer.adamW(0.1)
                .withClip(Clip.byNorm(2))
                .withSchedule(
                    LearningRateSchedule.warmUp(0.01, 5, LearningRateSchedule.constant(0.1))))
        .withInitializer(Initializer.uniform(-1, 1, 5))
        .withAdmission(RowAdmission.filtered(3, 1000))
        .withRowUsage()
        .withPartitions(2);
  }

  /** Damages a manifest in each way. */
  private static void check(Path manifest, ThrowingCallable load) throws IOException {
    for (DamagedJson damage : DamagedJson.of(Files.readString(manifest))) {
      if (!ALLOWED.contains(damage.toString()) && !damage.isShorterList()) {
        damage.writeTo(manifest);
        assertThat(catchThrowable(load))
            .as(damage.toString())
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining(manifest.getFileName().toString())
            .hasMessageContaining(damage.field());
      }
    }
  }

  private Path file(Path in, String start) throws IOException {
    try (Stream<Path> all = Files.list(in)) {
      return all.filter(
              file ->
                  file.getFileName().toString().startsWith(start)
                      && file.toString().endsWith(".json"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void ofATableAndItsDelta() throws IOException {
    Path saved = directory.resolve("table");
    EmbeddingTable table = EmbeddingTable.create(spark, spec());
    table.save(saved.toString());
    table.saveDelta(saved.toString());
    check(file(saved, "delta-"), () -> EmbeddingTable.load(spark, saved.toString()));
    check(file(saved, "embedding"), () -> EmbeddingTable.load(spark, saved.toString()));
  }

  @Test
  void ofAModel() throws IOException {
    Path saved = directory.resolve("model");
    ModelSpec spec = new Bilinear(40, 6).spec(Optimizer.adam(0.01), 2);
    EmbeddingModel.create(spark, spec).save(saved.toString());
    check(file(saved, "model"), () -> EmbeddingModel.load(spark, saved.toString()));
  }

  @Test
  void ofACheckpoint() throws IOException {
    ValidatedStep validated =
        new ValidatedStep(3, List.of(new MetricValue("auc", MetricGoal.MAXIMIZE, 0.5)), 1.5);
    check(
        CheckpointManifest.class,
        new CheckpointManifest(1, "training", 2, 7, "table", "best", List.of(validated)));
  }

  @Test
  void ofAMicroBatch() throws IOException {
    check(StreamManifest.class, new StreamManifest(1, Map.of("query", 5L), 7, "table"));
  }

  private <M> void check(Class<M> type, M manifest) throws IOException {
    ManifestFiles<M> files =
        new ManifestFiles<>(
            SmallFiles.of(spark, directory.toString()),
            directory.toString(),
            "checkpoint",
            type,
            1);
    files.write(files.name(7), manifest);
    check(directory.resolve(files.name(7)), () -> files.read(files.name(7)));
  }
}
