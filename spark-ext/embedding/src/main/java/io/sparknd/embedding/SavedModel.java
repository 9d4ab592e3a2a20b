/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.files.ManifestJson;
import io.sparknd.cluster.internal.files.SavedDirectory;
import io.sparknd.cluster.internal.files.SmallFiles;
import io.sparknd.embedding.internal.ModelErrors;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Saves and loads a model as a directory with a saved table for each table, and one for dense
 * parameters. {@code model.json}, which is written last, names them.
 */
final class SavedModel {
  private static final String MANIFEST = "model.json";
  private static final int FORMAT = 1;

  private SavedModel() {}

  /** The content of {@code model.json}. */
  private record Manifest(
      int format, List<String> tables, List<SavedParameter> parameters, List<String> directories) {

    void requireValid() throws IOException {
      int needed = tables.size() + (parameters.isEmpty() ? 0 : 1);
      if (needed == 0 || directories.size() != needed) {
        throw new IOException("it names " + directories.size() + " of " + needed + " directories");
      }
    }
  }

  private record SavedParameter(String name, long[] shape, Initializer initializer) {
    static SavedParameter of(DenseSpec.Parameter parameter) {
      return new SavedParameter(
          parameter.name(), parameter.shape().dims(), parameter.initializer());
    }

    DenseSpec.Parameter parameter() {
      return new DenseSpec.Parameter(name, Shape.of(shape), initializer);
    }
  }

  private static SavedDirectory directory(SparkSession spark, String path) {
    return SavedDirectory.of(spark, path, MANIFEST, ".none");
  }

  static void save(EmbeddingModel model, String path) {
    directory(model.spark(), path)
        .save(new Tables(model, path), written -> manifest(model, written));
  }

  /** The job that saves the tables. */
  private record Tables(EmbeddingModel model, String path) implements SavedDirectory.Job {
    @Override
    public List<String> run() {
      return saveTables(model, path);
    }

    @Override
    public void discard(List<String> written, Exception failure) {
      SmallFiles files = SmallFiles.of(model.spark(), path);
      written.forEach(name -> delete(model.spark(), files.path(name), failure));
    }
  }

  private static byte[] manifest(EmbeddingModel model, List<String> directories)
      throws IOException {
    ModelSpec spec = model.spec();
    return ManifestJson.bytes(
        new Manifest(
            FORMAT,
            List.copyOf(spec.tables().keySet()),
            spec.dense().parameters().stream().map(SavedParameter::of).toList(),
            directories));
  }

  /** Saves the tables; after a failure, deletes those that were saved. */
  private static List<String> saveTables(EmbeddingModel model, String path) {
    SmallFiles files = SmallFiles.of(model.spark(), path);
    List<String> names = List.copyOf(model.spec().tables().keySet());
    List<String> saved = new ArrayList<>();
    try {
      for (int i = 0; i < model.tables().size(); i++) {
        String kind = i < names.size() ? "table-" + names.get(i) : "dense";
        String name = kind + "-" + UUID.randomUUID();
        SavedEmbedding.save(model.tables().get(i), files.path(name));
        saved.add(name);
      }
      return saved;
    } catch (Exception e) { // Spark throws undeclared checked ones
      new Tables(model, path).discard(saved, e);
      throw e;
    }
  }

  private static void delete(SparkSession spark, String table, Exception failure) {
    try {
      SavedEmbedding.delete(spark, table);
    } catch (IOException | SparkNdException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Loads a model.
   *
   * @param like has the optimizers and the order of the tables; null for those that were saved
   */
  static EmbeddingModel load(SparkSession spark, String path, @Nullable ModelSpec like) {
    Manifest manifest = read(directory(spark, path));
    SmallFiles files = SmallFiles.of(spark, path);
    Map<String, EmbeddingSpec> specs = new LinkedHashMap<>();
    List<EmbeddingTable> tables = new ArrayList<>();
    for (String name : names(manifest, like)) {
      EmbeddingSpec table = like == null ? null : like.tables().get(name);
      Optimizer optimizer = table == null ? null : table.optimizer();
      String saved = manifest.directories().get(manifest.tables().indexOf(name));
      EmbeddingTable loaded = inPartitionsOf(tables, table(spark, files.path(saved), optimizer));
      tables.add(loaded);
      specs.put(name, loaded.spec());
    }
    DenseSpec dense = noParameters(like);
    if (!manifest.parameters().isEmpty()) {
      String last = files.path(manifest.directories().get(tables.size()));
      EmbeddingTable table = table(spark, last, like == null ? null : like.dense().optimizer());
      tables.add(inPartitionsOf(tables, table));
      dense =
          new DenseSpec(
              table.optimizer(),
              manifest.parameters().stream().map(SavedParameter::parameter).toList());
    }
    ModelSpec spec = new ModelSpec(specs, dense, tables.get(0).partitions());
    check(path, spec, like);
    checkSteps(List.copyOf(specs.keySet()), tables);
    return EmbeddingModel.of(spark, spec, tables);
  }

  /** Returns the names of the tables in the order in which a step function finds their rows. */
  private static List<String> names(Manifest manifest, @Nullable ModelSpec like) {
    List<String> saved = manifest.tables();
    return like != null && like.tables().keySet().equals(Set.copyOf(saved))
        ? List.copyOf(like.tables().keySet())
        : saved;
  }

  /** Returns the definition of no parameters, of which the optimizer is not saved. */
  private static DenseSpec noParameters(@Nullable ModelSpec like) {
    return like != null && like.dense().parameters().isEmpty()
        ? like.dense()
        : ModelSpec.empty().dense();
  }

  /** A delta of one table would change its steps: none is made of a table that is loaded here. */
  private static EmbeddingTable table(
      SparkSession spark, String path, @Nullable Optimizer optimizer) {
    EmbeddingTable table =
        optimizer == null
            ? EmbeddingTable.load(spark, path)
            : EmbeddingTable.load(spark, path, optimizer);
    return table.withoutCheckpoint();
  }

  /** A delta of one table may have another number of partitions than the other tables. */
  private static EmbeddingTable inPartitionsOf(List<EmbeddingTable> others, EmbeddingTable table) {
    boolean isFirst = others.isEmpty();
    return isFirst || others.get(0).partitions() == table.partitions()
        ? table
        : table.repartition(others.get(0).partitions());
  }

  private static void checkSteps(List<String> names, List<EmbeddingTable> tables) {
    long steps = tables.get(tables.size() - 1).steps();
    for (int i = 0; i < names.size(); i++) {
      if (tables.get(i).steps() != steps) {
        throw ModelErrors.modelSteps(names.get(i), tables.get(i).steps(), steps);
      }
    }
  }

  private static void check(String path, ModelSpec saved, @Nullable ModelSpec like) {
    if (like != null && !saved.inPartitions(0).equals(like.inPartitions(0))) {
      throw ModelErrors.otherDefinition(path, saved, like);
    }
  }

  private static Manifest read(SavedDirectory directory) {
    try {
      Manifest manifest = ManifestJson.read(directory.manifest(), FORMAT, Manifest.class);
      manifest.requireValid();
      return manifest;
    } catch (IOException e) {
      throw ModelErrors.notASavedModel(directory.toString(), e);
    }
  }

  /**
   * Deletes a saved model; the manifest first, so that what remains after a failure is none.
   *
   * @throws IOException also if files of a table are still there; the other tables are deleted
   */
  static void delete(SparkSession spark, String path) throws IOException {
    SavedDirectory directory = directory(spark, path);
    Manifest manifest = read(directory);
    SmallFiles files = SmallFiles.of(spark, path);
    files.delete(MANIFEST);
    IOException left = null;
    for (String name : manifest.directories()) {
      try {
        SavedEmbedding.delete(spark, files.path(name));
      } catch (IOException e) {
        if (left == null) {
          left = e;
        } else {
          left.addSuppressed(e);
        }
      }
    }
    if (left != null) {
      throw left;
    }
    directory.delete(List.of());
  }
}
