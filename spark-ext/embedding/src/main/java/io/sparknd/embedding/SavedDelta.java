/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparknd.cluster.internal.files.ManifestJson;
import io.sparknd.cluster.internal.files.SavedDirectory;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.PartitionDelta;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Deltas in the directory of a saved table. Each has a file per partition, and a manifest whose
 * name is unique to it, so that no save overwrites another. A delta without a manifest was not
 * completed, and is ignored.
 *
 * @param name name of the manifest
 */
record SavedDelta(String name, Content content) {
  private static final String SUFFIX = ".delta";
  private static final Pattern NAME = Pattern.compile("delta-\\d{5,}-.*\\.json");

  /**
   * The content of the manifest.
   *
   * @param base id of the full save that the deltas change
   * @param previous id of the previous delta, or of the full save
   * @param number deltas after the full save, up to this one
   * @param since steps of the table at the previous checkpoint
   * @param partitions partitions of the table, and files of the delta
   * @param table the table after the delta; the files are those of the delta
   */
  record Content(
      String base,
      String previous,
      int number,
      long since,
      int partitions,
      SavedEmbedding.Manifest table) {}

  static TableCheckpoint save(EmbeddingTable table, String path) {
    if (table.spec().usage() == RowUsage.NOTHING) {
      throw EmbeddingErrors.noRowUsage("EmbeddingTable.saveDelta");
    }
    SavedDirectory directory = SavedEmbedding.directory(table.spark(), path);
    SavedEmbedding.Manifest base = SavedEmbedding.manifest(directory);
    TableCheckpoint last = last(base, all(directory, base));
    if (!last.equals(table.checkpoint())) {
      throw EmbeddingErrors.notADescendant(path, table.steps(), descent(last, table.checkpoint()));
    }
    return save(table, path, last);
  }

  private static String descent(TableCheckpoint last, @Nullable TableCheckpoint own) {
    return "that is "
        + last
        + ", and the table descends from "
        + (own == null ? "no checkpoint since it was created" : own);
  }

  private static TableCheckpoint save(EmbeddingTable table, String path, TableCheckpoint last) {
    String id = UUID.randomUUID().toString();
    int number = last.number() + 1;
    String name = prefix(number) + id + ".json";
    SavedDirectory files = SavedDirectory.of(table.spark(), path, name, SUFFIX);
    PartitionDelta delta = new PartitionDelta(table.layout(), table.directory());
    files.append(
        () ->
            SavedEmbedding.write(
                table,
                files,
                (partition, out) -> delta.write(partition, last.id(), last.steps(), out)),
        names ->
            ManifestJson.bytes(
                new Content(
                    last.base(),
                    last.id(),
                    number,
                    last.steps(),
                    table.partitions(),
                    SavedEmbedding.Manifest.of(id, table, names))));
    withdrawConcurrent(files, name, number);
    return new TableCheckpoint(last.base(), id, number, table.steps());
  }

  /** Returns the start of a manifest's name, whose digits are ASCII in every locale. */
  private static String prefix(int number) {
    return String.format(Locale.ROOT, "delta-%05d-", number);
  }

  /**
   * Withdraws a delta if there is another with its number. Each save writes before it lists, so of
   * two concurrent saves at least one sees the other.
   */
  private static void withdrawConcurrent(SavedDirectory files, String name, int number) {
    try {
      for (String other : files.names()) {
        boolean isSameNumber = other.startsWith(prefix(number));
        if (isSameNumber && NAME.matcher(other).matches() && !other.equals(name)) {
          throw withdrawn(files, EmbeddingErrors.concurrentDelta(files.toString(), other));
        }
      }
    } catch (IOException e) {
      throw withdrawn(files, TensorErrors.unreadableFile(files.toString(), e));
    }
  }

  /** Returns the error after withdrawing the delta, which the table does not descend from then. */
  private static SparkNdException withdrawn(SavedDirectory files, SparkNdException error) {
    try {
      files.withdraw();
    } catch (SparkNdException e) {
      error.addSuppressed(e);
    }
    return error;
  }

  /**
   * Returns the completed deltas of a saved table, in order.
   *
   * @throws io.sparknd.tensor.SparkNdException if a delta belongs to another save, or does not
   *     follow the one before it
   */
  static List<SavedDelta> all(SavedDirectory directory, SavedEmbedding.Manifest base) {
    List<SavedDelta> deltas = new ArrayList<>();
    try {
      for (String name : directory.names()) {
        if (NAME.matcher(name).matches()) {
          deltas.add(new SavedDelta(name, read(directory, base, name)));
        }
      }
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory.toString(), e);
    }
    deltas.sort(Comparator.comparingInt(delta -> delta.content().number()));
    check(directory, base, deltas);
    return deltas;
  }

  private static Content read(SavedDirectory directory, SavedEmbedding.Manifest base, String name) {
    try (InputStream in = directory.open(name)) {
      ObjectNode tree = ManifestJson.tree(in.readAllBytes());
      // earlier versions made no deltas after the number changed
      tree.putIfAbsent("partitions", ManifestJson.node(base.files().size()));
      if (tree.path("table") instanceof ObjectNode table) {
        ManifestJson.requireFormat(table, SavedEmbedding.FORMAT);
        // the first versions that saved deltas had no admission
        table.putIfAbsent("admission", ManifestJson.node(RowAdmission.immediate()));
      }
      Content content = ManifestJson.read(tree, Content.class);
      content.table().requireValid();
      return content;
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory + "/" + name, e);
    }
  }

  private static void check(
      SavedDirectory directory, SavedEmbedding.Manifest base, List<SavedDelta> deltas) {
    String previous = base.id();
    for (int i = 0; i < deltas.size(); i++) {
      Content content = deltas.get(i).content();
      String name = deltas.get(i).name();
      if (!content.base().equals(base.id())) {
        throw EmbeddingErrors.deltaOfAnotherSave(directory.toString(), name, content.base());
      }
      if (content.number() != i + 1 || !content.previous().equals(previous)) {
        throw EmbeddingErrors.deltaOutOfOrder(directory.toString(), name, content.number(), i + 1);
      }
      checkFiles(directory + "/" + name, content);
      previous = content.table().id();
    }
  }

  private static void checkFiles(String path, Content delta) {
    int files = delta.table().files().size();
    if (files == 0 || files != delta.partitions()) {
      String reason = String.format("it has %d files for %d partitions", files, delta.partitions());
      throw TensorErrors.unreadableFile(path, new IOException(reason));
    }
  }

  /** Returns the last checkpoint of a saved table. */
  static TableCheckpoint last(SavedEmbedding.Manifest base, List<SavedDelta> deltas) {
    SavedEmbedding.Manifest table =
        deltas.isEmpty() ? base : deltas.get(deltas.size() - 1).content().table();
    return new TableCheckpoint(base.id(), table.id(), deltas.size(), table.steps());
  }
}
