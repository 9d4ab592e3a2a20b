/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.files.SmallFiles;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;

/**
 * The checkpoints of a continual training in a directory, one for each micro-batch. A checkpoint
 * counts once its manifest is there, which is written after the table. Table and micro-batch are
 * therefore saved together or not at all.
 */
final class StreamCheckpoints {
  private static final int KEPT = 2;
  private static final TableOperations OPERATIONS = new TableOperations();

  private final SparkSession spark;
  private final String directory;
  private final SmallFiles files;
  private final ManifestFiles<StreamManifest> manifests;

  StreamCheckpoints(SparkSession spark, String directory) {
    this.spark = spark;
    this.directory = directory;
    this.files = SmallFiles.of(spark, directory);
    this.manifests =
        new ManifestFiles<>(
            files,
            directory,
            "stream",
            StreamManifest.class,
            StreamManifest::format,
            StreamManifest.FORMAT);
  }

  String directory() {
    return directory;
  }

  /** Returns the last complete checkpoint. */
  Optional<StreamManifest> last() {
    List<String> names = manifests.names();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(manifests.read(names.get(names.size() - 1)));
  }

  /**
   * Loads the table of a checkpoint, with the optimizer and the partitions of another. The lineage
   * is cut off from the files, which are deleted later.
   */
  EmbeddingTable load(StreamManifest manifest, EmbeddingTable like) {
    EmbeddingTable loaded = OPERATIONS.load(files.path(manifest.table()), like);
    if (!OPERATIONS.definition(loaded).equals(OPERATIONS.definition(like))) {
      throw TrainingErrors.otherStreamTable(
          directory, loaded.spec().toString(), like.spec().toString());
    }
    return OPERATIONS.cut(loaded, like);
  }

  /**
   * Saves the table after a micro-batch.
   *
   * @param before steps of the last checkpoint, if there is one
   * @throws io.sparknd.tensor.SparkNdException if another training has saved a table since then
   */
  void save(EmbeddingTable table, Map<String, Long> batches, long before) {
    last()
        .map(StreamManifest::steps)
        .filter(steps -> steps != before)
        .ifPresent(
            steps -> {
              throw TrainingErrors.otherStreamWriter(directory, steps, before);
            });
    String name = String.format(Locale.ROOT, "table-%019d-%s", table.steps(), UUID.randomUUID());
    OPERATIONS.save(table, files.path(name));
    try {
      manifests.write(
          table.steps(), new StreamManifest(StreamManifest.FORMAT, batches, table.steps(), name));
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(files.path(manifests.name(table.steps())), e);
    }
  }

  /** Deletes checkpoints that are too many, each manifest before its table. */
  void deleteOld() {
    List<String> names = new ArrayList<>(manifests.names());
    while (names.size() > KEPT) {
      String old = names.remove(0);
      String table = manifests.read(old).table();
      try {
        files.delete(old);
        OPERATIONS.delete(spark, files.path(table));
      } catch (IOException e) {
        throw TensorErrors.unwritableFile(files.path(old), e);
      }
    }
  }
}
