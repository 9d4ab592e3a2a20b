/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.files.SmallFiles;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of a continual training in a directory, one for each micro-batch. A checkpoint
 * counts once its manifest is there, which is written after the table. Table and micro-batch are
 * therefore saved together or not at all.
 *
 * <p>Manifests have consecutive numbers. Of trainings that go on from the same checkpoint, only one
 * therefore writes the next.
 */
final class StreamCheckpoints {
  private static final int KEPT = 2;
  private static final TableOperations OPERATIONS = new TableOperations();

  private final SparkSession spark;
  private final String directory;
  private final SmallFiles files;
  private final ManifestFiles<StreamManifest> manifests;

  /** The table of a save that did not end. */
  private @Nullable String attempted;

  StreamCheckpoints(SparkSession spark, String directory) {
    this.spark = spark;
    this.directory = directory;
    this.files = SmallFiles.of(spark, directory);
    this.manifests =
        new ManifestFiles<>(
            files, directory, "stream", StreamManifest.class, StreamManifest.FORMAT);
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
   * @param from the table that it was trained from
   * @param before the checkpoint of that table; null if there was none
   * @return the new checkpoint
   * @throws io.sparknd.tensor.SparkNdException if another training has saved a table since then;
   *     this one's is deleted then
   */
  StreamManifest save(
      EmbeddingTable table,
      Map<String, Long> batches,
      EmbeddingTable from,
      @Nullable StreamManifest before) {
    List<String> names = manifests.names();
    String last = names.isEmpty() ? null : names.get(names.size() - 1);
    StreamManifest found = last == null ? null : manifests.read(last);
    if (found != null && !found.equals(before)) {
      throw otherWriter(found, from);
    }
    String name = manifests.name(last == null ? 1 : manifests.number(last) + 1);
    String saved = String.format(Locale.ROOT, "table-%019d-%s", table.steps(), UUID.randomUUID());
    StreamManifest manifest =
        new StreamManifest(StreamManifest.FORMAT, batches, table.steps(), saved);
    OPERATIONS.save(table, files.path(saved));
    attempted = saved;
    StreamManifest winner = written(name, manifest);
    if (!winner.table().equals(saved)) {
      throw withdrawn(List.of(), saved, otherWriter(winner, from));
    }
    requireLast(name, saved, from);
    attempted = null;
    return manifest;
  }

  /**
   * Returns the checkpoint that the last save made although it failed, because the directory could
   * not be read after it was written.
   */
  Optional<StreamManifest> madeByFailedSave() {
    if (attempted == null) {
      return Optional.empty();
    }
    Optional<StreamManifest> made = last().filter(last -> last.table().equals(attempted));
    attempted = made.isPresent() ? attempted : null;
    return made;
  }

  /** Writes a manifest, unless there is one with its name, and returns the one that is there. */
  private StreamManifest written(String name, StreamManifest manifest) {
    try {
      manifests.write(name, manifest);
    } catch (IOException e) {
      if (!manifests.names().contains(name)) {
        throw withdrawn(
            List.of(), manifest.table(), TensorErrors.unwritableFile(files.path(name), e));
      }
    }
    return manifests.read(name);
  }

  /** Others may have written later checkpoints, and deleted the one with this name, meanwhile. */
  private void requireLast(String name, String table, EmbeddingTable from) {
    List<String> names = manifests.names();
    String last = names.get(names.size() - 1);
    if (!last.equals(name)) {
      throw withdrawn(List.of(name), table, otherWriter(manifests.read(last), from));
    }
  }

  private SparkNdException otherWriter(StreamManifest found, EmbeddingTable from) {
    return TrainingErrors.otherStreamWriter(directory, found.steps(), from.steps());
  }

  /** Deletes manifests of a table, and then the table, and returns the error. */
  private SparkNdException withdrawn(List<String> names, String table, SparkNdException error) {
    try {
      for (String name : names) {
        files.delete(name);
      }
      OPERATIONS.delete(spark, files.path(table));
    } catch (IOException | RuntimeException e) {
      error.addSuppressed(e);
    }
    return error;
  }

  /**
   * Deletes checkpoints that are too many, each manifest before its table. The last one is
   * complete, so the training goes on if an old one cannot be deleted.
   */
  void deleteOld() {
    List<String> names = new ArrayList<>(manifests.names());
    while (names.size() > KEPT) {
      String old = names.remove(0);
      try {
        String table = manifests.read(old).table();
        files.delete(old);
        OPERATIONS.delete(spark, files.path(table));
      } catch (IOException | SparkNdException e) {
        manifests.warnNotDeleted(old, e);
      }
    }
  }
}
