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
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of one training in a directory. A checkpoint counts once its manifest is there,
 * which is written after the tables that it names. The names of tables are random, so no save meets
 * what a killed one left.
 *
 * @param <V> a table or a model
 */
final class CheckpointStore<V> {
  private final VersionOperations<V> operations;
  private final SparkSession spark;
  private final TrainingCheckpoints options;
  private final SmallFiles files;
  private final ManifestFiles<CheckpointManifest> manifests;

  /** The checkpoints of this training that exist, in step order. */
  private final List<CheckpointManifest> own = new ArrayList<>();

  private String training = UUID.randomUUID().toString();

  private CheckpointStore(
      VersionOperations<V> operations, SparkSession spark, TrainingCheckpoints options) {
    this.operations = operations;
    this.spark = spark;
    this.options = options;
    this.files = SmallFiles.of(spark, options.directory());
    this.manifests =
        new ManifestFiles<>(
            files,
            options.directory(),
            "checkpoint",
            CheckpointManifest.class,
            CheckpointManifest.FORMAT);
  }

  /**
   * Returns the store of a new training.
   *
   * @throws io.sparknd.tensor.SparkNdException if the directory has checkpoints
   */
  static <V> CheckpointStore<V> begun(
      VersionOperations<V> operations, SparkSession spark, TrainingCheckpoints options) {
    CheckpointStore<V> store = new CheckpointStore<>(operations, spark, options);
    store.latest().ifPresent(store::refuse);
    return store;
  }

  private void refuse(CheckpointManifest last) {
    throw TrainingErrors.checkpointsExist(options.directory(), last.steps());
  }

  /** Returns the store of the training that wrote the latest checkpoint; of a new one if none. */
  static <V> CheckpointStore<V> resumed(
      VersionOperations<V> operations, SparkSession spark, TrainingCheckpoints options) {
    CheckpointStore<V> store = new CheckpointStore<>(operations, spark, options);
    List<CheckpointManifest> all = store.readAll();
    if (!all.isEmpty()) {
      store.training = all.get(all.size() - 1).training();
      store.requireNoOthers(all);
      store.own.addAll(all);
    }
    return store;
  }

  private void requireNoOthers(List<CheckpointManifest> all) {
    if (all.stream().anyMatch(one -> !one.training().equals(training))) {
      throw TrainingErrors.mixedTrainings(options.directory());
    }
  }

  /** Returns the latest checkpoint of this training. */
  Optional<CheckpointManifest> last() {
    return own.isEmpty() ? Optional.empty() : Optional.of(own.get(own.size() - 1));
  }

  private Optional<CheckpointManifest> latest() {
    List<CheckpointManifest> all = readAll();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  private List<CheckpointManifest> readAll() {
    return manifests.names().stream().map(manifests::read).toList();
  }

  /**
   * Loads the version of {@code name}, with the optimizers and the partitions of another. The
   * lineage is cut off from the files, which are deleted before the training ends.
   */
  V load(String name, long steps, V like) {
    V loaded = operations.load(files.path(name), like);
    try {
      check(name, steps, loaded, like);
      return operations.cut(loaded, like);
    } catch (Throwable e) { // Spark throws checked exceptions undeclared
      closeAfter(e, loaded);
      throw e;
    }
  }

  /** Closes a version after a failure, which an error of closing does not hide. */
  private void closeAfter(Throwable failure, V version) {
    try {
      operations.close(version);
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  private void check(String name, long steps, V loaded, V like) {
    long saved = operations.steps(loaded);
    if (saved != steps) {
      throw TrainingErrors.otherTraining(
          options.directory(), name + " after " + saved + " steps", steps + " steps");
    }
    if (!operations.definition(loaded).equals(operations.definition(like))) {
      throw TrainingErrors.otherTraining(
          options.directory(),
          operations.definition(loaded).toString(),
          operations.definition(like).toString());
    }
  }

  /** Saves a checkpoint, and then deletes those of this training that are too many. */
  void save(
      long begin, V version, @Nullable ValidatedVersion<V> best, List<ValidatedStep> validations) {
    requireNoOthers(readAll());
    String name = saved("table", version);
    CheckpointManifest manifest =
        new CheckpointManifest(
            CheckpointManifest.FORMAT,
            training,
            begin,
            operations.steps(version),
            name,
            best == null ? null : bestOrWithdraw(best, version, name),
            List.copyOf(validations));
    String file = manifests.name(manifest.steps());
    try {
      manifests.write(file, manifest);
    } catch (IOException e) {
      throw withdrawn(manifest, TensorErrors.unwritableFile(files.path(file), e));
    }
    own.add(manifest);
    while (own.size() > options.kept()) {
      deleteOrWarn(own.remove(0));
    }
  }

  /** Deletes the tables of a manifest that was not written, and returns the error. */
  private SparkNdException withdrawn(CheckpointManifest manifest, SparkNdException error) {
    try {
      String file = manifests.name(manifest.steps());
      // one of another driver of this training may be there
      if (!manifests.names().contains(file)
          || !manifests.read(file).table().equals(manifest.table())) {
        deleteDirectories(manifest);
      }
    } catch (IOException | RuntimeException e) {
      error.addSuppressed(e);
    }
    return error;
  }

  /** The new checkpoint is complete, so the training goes on if an old one cannot be deleted. */
  private void deleteOrWarn(CheckpointManifest old) {
    try {
      delete(old);
    } catch (IOException | SparkNdException e) {
      manifests.warnNotDeleted(manifests.name(old.steps()), e);
    }
  }

  private String saved(String kind, V version) {
    long steps = operations.steps(version);
    String name = String.format(Locale.ROOT, "%s-%019d-%s", kind, steps, UUID.randomUUID());
    operations.save(version, files.path(name));
    return name;
  }

  /** Returns the directory of the best version; deletes that of the version if it fails. */
  private String bestOrWithdraw(ValidatedVersion<V> best, V version, String name) {
    try {
      return best(best, version, name);
    } catch (Throwable e) { // Spark throws checked exceptions undeclared
      try {
        operations.delete(spark, files.path(name));
      } catch (IOException | RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  /** Returns the directory of the best version; saves it unless the last checkpoint did. */
  private String best(ValidatedVersion<V> best, V version, String name) {
    if (best.version() == version) {
      return name;
    }
    Optional<String> before =
        last()
            .filter(one -> one.best() != null && !one.validations().isEmpty())
            .filter(one -> ValidatedStep.best(one.validations()).step() == best.validation().step())
            .map(one -> Objects.requireNonNull(one.best()));
    return before.orElseGet(() -> saved("best", best.version()));
  }

  /** Deletes the manifest first: what it names is then not part of a checkpoint. */
  private void delete(CheckpointManifest old) throws IOException {
    files.delete(manifests.name(old.steps()));
    deleteDirectories(old);
  }

  /** Deletes the directories of a checkpoint that no other one names. */
  private void deleteDirectories(CheckpointManifest old) throws IOException {
    for (String name : old.directories()) {
      if (own.stream().noneMatch(kept -> kept.directories().contains(name))) {
        operations.delete(spark, files.path(name));
      }
    }
  }
}
