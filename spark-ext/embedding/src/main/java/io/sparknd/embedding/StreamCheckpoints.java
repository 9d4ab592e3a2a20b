/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.cluster.internal.files.SmallFiles;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;

/**
 * The checkpoints of a continual training in a directory, one for each micro-batch. A checkpoint
 * counts once its manifest is there, which is written after the table. Table and micro-batch are
 * therefore saved together or not at all.
 */
final class StreamCheckpoints {
  private static final Pattern NAME = Pattern.compile("stream-\\d{19}\\.json");
  private static final int KEPT = 2;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

  private final SparkSession spark;
  private final String directory;
  private final SmallFiles files;

  StreamCheckpoints(SparkSession spark, String directory) {
    this.spark = spark;
    this.directory = directory;
    this.files = SmallFiles.of(spark, directory);
  }

  /** Returns the last complete checkpoint. */
  Optional<StreamManifest> last() {
    List<String> names = names();
    return names.isEmpty() ? Optional.empty() : Optional.of(read(names.get(names.size() - 1)));
  }

  /** Returns the names of manifests in step order. */
  private List<String> names() {
    try {
      return files.names().stream().filter(name -> NAME.matcher(name).matches()).sorted().toList();
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory, e);
    }
  }

  private StreamManifest read(String name) {
    try {
      StreamManifest manifest = JSON.readValue(files.read(name), StreamManifest.class);
      if (manifest.format() != StreamManifest.FORMAT) {
        throw EmbeddingErrors.notACheckpoint(files.path(name), null);
      }
      return manifest;
    } catch (IOException e) {
      throw EmbeddingErrors.notACheckpoint(files.path(name), e);
    }
  }

  /**
   * Loads the table of a checkpoint, with the optimizer and the partitions of another. The lineage
   * is cut off from the files, which are deleted later.
   */
  EmbeddingTable load(StreamManifest manifest, EmbeddingTable like) {
    EmbeddingTable loaded =
        EmbeddingTable.load(spark, files.path(manifest.table()), like.optimizer());
    if (!loaded.spec().withPartitions(0).equals(like.spec().withPartitions(0))) {
      throw EmbeddingErrors.otherStreamTable(
          directory, loaded.spec().toString(), like.spec().toString());
    }
    boolean isMoved = loaded.partitions() != like.partitions();
    EmbeddingTable table =
        isMoved ? loaded.repartition(like.partitions()) : loaded.withoutCheckpoint();
    VersionLineage.checkpoint(table.rdd());
    if (isMoved) {
      loaded.close();
    }
    return table;
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
              throw EmbeddingErrors.otherStreamWriter(directory, steps, before);
            });
    String name = String.format(Locale.ROOT, "table-%019d-%s", table.steps(), UUID.randomUUID());
    SavedEmbedding.save(table, files.path(name));
    String manifest = String.format(Locale.ROOT, "stream-%019d.json", table.steps());
    try {
      files.write(
          manifest,
          JSON.writeValueAsBytes(
              new StreamManifest(StreamManifest.FORMAT, batches, table.steps(), name)));
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(files.path(manifest), e);
    }
  }

  /** Deletes checkpoints that are too many, each manifest before its table. */
  void deleteOld() {
    List<String> names = new ArrayList<>(names());
    while (names.size() > KEPT) {
      String old = names.remove(0);
      String table = read(old).table();
      try {
        files.delete(old);
        SavedEmbedding.delete(spark, files.path(table));
      } catch (IOException e) {
        throw TensorErrors.unwritableFile(files.path(old), e);
      }
    }
  }
}
