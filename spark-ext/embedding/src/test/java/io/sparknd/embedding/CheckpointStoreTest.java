/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests failures of checkpoints. */
class CheckpointStoreTest {

  /** Versions of 3 steps that cannot be closed. */
  private static final class Unclosable implements VersionOperations<String> {
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
    public long steps(String version) {
      return 3;
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
}
