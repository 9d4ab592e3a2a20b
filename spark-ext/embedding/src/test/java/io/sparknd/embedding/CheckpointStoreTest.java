/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.TrainedTable;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests failures of checkpoints. */
class CheckpointStoreTest {

  /** Versions of 3 steps that cannot be closed. */
  private static class Unclosable implements VersionOperations<String> {
    @Override
    public SparkSession spark(String version) {
      return LocalSpark.session();
    }

    @Override
    public List<TrainedTable> tables(String version) {
      throw new UnsupportedOperationException();
    }

    @Override
    public JavaRDD<EmbeddingPartition> rdd(String version) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void detach(String version) {}

    @Override
    public long steps(String version) {
      return 3;
    }

    @Override
    public JobDescription described(String version, String call) {
      return JobDescription.of(spark(version).sparkContext(), version + ": " + call);
    }

    @Override
    public int versions(String version) {
      return 0;
    }

    @Override
    public String next(String version, JavaRDD<EmbeddingPartition> rdd, long steps, int versions) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close(String version) {
      throw new IllegalStateException(version + " cannot be closed");
    }

    @Override
    public Object definition(String version) {
      return "the same";
    }

    @Override
    public void save(String version, String path) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String load(String path, String like) {
      return "loaded";
    }

    @Override
    public String cut(String loaded, String like) {
      throw new UnsupportedOperationException("cut");
    }

    @Override
    public void delete(SparkSession spark, String path) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void anErrorOfClosingDoesNotHideTheFirst(@TempDir Path directory) {
    CheckpointStore<String> store =
        CheckpointStore.begun(
            new Unclosable(),
            LocalSpark.session(),
            TrainingCheckpoints.of(directory.toString(), 2));
    assertThatThrownBy(() -> store.load("table", 4, "mine"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("4 steps")
        .hasSuppressedException(new IllegalStateException("loaded cannot be closed"));
    assertThatThrownBy(() -> store.load("table", 3, "mine"))
        .hasMessage("cut")
        .hasSuppressedException(new IllegalStateException("loaded cannot be closed"));
  }

  /** Versions of as many steps as their name says; their tables are no directories. */
  private static final class Undeletable extends Unclosable {
    @Override
    public long steps(String version) {
      return Long.parseLong(version);
    }

    @Override
    public void save(String version, String path) {}

    @Override
    public void delete(SparkSession spark, String path) {
      throw TensorErrors.unreadableFile(path, new IOException("it is locked"));
    }
  }

  /** Versions of 3 steps, of which the best cannot be saved. */
  private static final class BestTooLarge extends Unclosable {
    private final Set<String> saved = new TreeSet<>();

    @Override
    public void save(String version, String path) {
      if (version.equals("best")) {
        throw TensorErrors.unwritableFile(path, new IOException("quota exceeded"));
      }
      saved.add(path);
    }

    @Override
    public void delete(SparkSession spark, String path) {
      saved.remove(path);
    }
  }

  @Test
  void aCheckpointThatFailsLeavesNoTable(@TempDir Path directory) {
    BestTooLarge operations = new BestTooLarge();
    CheckpointStore<String> store =
        CheckpointStore.begun(
            operations, LocalSpark.session(), TrainingCheckpoints.of(directory.toString(), 2));
    List<MetricValue> metrics = List.of(new MetricValue("loss", MetricGoal.MINIMIZE, 1));
    ValidatedVersion<String> best =
        new ValidatedVersion<>("best", new ValidatedStep(1, metrics, 0));
    assertThatThrownBy(() -> store.save(0, "last", best, List.of(best.validation())))
        .hasStackTraceContaining("quota exceeded");
    assertThat(operations.saved).isEmpty();
    assertThat(directory.toFile().list()).isEmpty();
  }

  /** The error named the checkpoint that had just been written. */
  @Test
  void trainingGoesOnIfAnOldCheckpointCannotBeDeleted(@TempDir Path directory) {
    TrainingCheckpoints options = TrainingCheckpoints.of(directory.toString(), 2);
    CheckpointStore<String> store =
        CheckpointStore.begun(new Undeletable(), LocalSpark.session(), options);
    for (int steps = 1; steps <= 6; steps++) {
      store.save(0, Integer.toString(steps), null, List.of());
    }
    assertThat(store.last().orElseThrow().steps()).isEqualTo(6);
    assertThat(directory.toFile().list((folder, name) -> name.startsWith("checkpoint-")))
        .hasSize(options.kept());
  }
}
