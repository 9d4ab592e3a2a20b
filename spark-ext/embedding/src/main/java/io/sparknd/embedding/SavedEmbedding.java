/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparknd.cluster.internal.files.ManifestJson;
import io.sparknd.cluster.internal.files.SavedDirectory;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.MovedPartitions;
import io.sparknd.embedding.internal.rows.PartitionDelta;
import io.sparknd.embedding.internal.rows.Repartitioner;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Saves and loads a table as a directory. Each partition has one file with its written blocks,
 * followed by the CRC-32C of the preceding bytes. {@code embedding.json} lists the files and
 * defines the table.
 */
final class SavedEmbedding {
  private static final String MANIFEST = "embedding.json";
  private static final String SUFFIX = ".rows";
  static final int FORMAT = 1;

  private SavedEmbedding() {}

  /**
   * The content of {@code embedding.json}.
   *
   * @param id unique to the save; empty in tables of earlier versions
   * @param rows number of rows; 0 if ids are keys
   */
  record Manifest(
      int format,
      String id,
      long rows,
      int dim,
      String dtype,
      String stateDType,
      Optimizer optimizer,
      Initializer initializer,
      WeightRounding rounding,
      BadGradients badGradients,
      RowUsage usage,
      RowAdmission admission,
      long steps,
      List<String> files) {

    static Manifest of(String id, EmbeddingTable table, List<String> files) {
      EmbeddingSpec spec = table.spec();
      return new Manifest(
          FORMAT,
          id,
          spec.rows(),
          spec.dim(),
          spec.dtype().toString(),
          spec.stateDType().toString(),
          spec.optimizer(),
          spec.initializer(),
          spec.rounding(),
          spec.badGradients(),
          spec.usage(),
          spec.admission(),
          table.steps(),
          files);
    }

    /** Checks what the types do not say, except the format. */
    void requireValid() throws IOException {
      if (files.isEmpty()) {
        throw new IOException("it names no files");
      }
      try {
        spec();
      } catch (SparkNdException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    EmbeddingSpec spec() {
      return new EmbeddingSpec(
          rows,
          dim,
          optimizer,
          DType.named(dtype),
          DType.named(stateDType),
          initializer,
          files.size(),
          rounding,
          badGradients,
          usage,
          admission);
    }
  }

  static SavedDirectory directory(SparkSession spark, String path) {
    return SavedDirectory.of(spark, path, MANIFEST, SUFFIX);
  }

  /** Saves a table and returns the checkpoint, from which deltas can be saved. */
  static TableCheckpoint save(EmbeddingTable table, String path) {
    String id = UUID.randomUUID().toString();
    SavedDirectory directory = directory(table.spark(), path);
    directory.save(
        () -> write(table, directory, (partition, out) -> partition.withoutEvicted().writeTo(out)),
        files -> ManifestJson.bytes(Manifest.of(id, table, files)));
    return new TableCheckpoint(id, id, 0, table.steps());
  }

  /** Writes the content of a partition's file. */
  interface Content extends Serializable {
    void write(EmbeddingPartition partition, OutputStream out) throws IOException;
  }

  /** Runs a job that writes a file for each partition, with a checksum; returns their names. */
  static List<String> write(EmbeddingTable table, SavedDirectory directory, Content content) {
    return table.read(all -> write(all, directory, content));
  }

  private static List<String> write(
      JavaRDD<EmbeddingPartition> partitions, SavedDirectory directory, Content content) {
    return PartitionTasks.collected(
        partitions.map(
            partition ->
                directory.write(partition.index(), out -> write(partition, content, out))));
  }

  private static void write(EmbeddingPartition partition, Content content, OutputStream out)
      throws IOException {
    CRC32C sum = new CRC32C();
    content.write(partition, new CheckedOutputStream(out, sum));
    new DataOutputStream(out).writeLong(sum.getValue());
  }

  /**
   * Loads a saved table and its deltas with the number of partitions of the last; it is persisted
   * once read.
   *
   * @param optimizer maps the saved optimizer to that of the table
   */
  static EmbeddingTable load(SparkSession spark, String path, UnaryOperator<Optimizer> optimizer) {
    SavedDirectory directory = directory(spark, path);
    Manifest base = manifest(directory);
    List<SavedDelta> deltas = SavedDelta.all(directory, base);
    Manifest last = deltas.isEmpty() ? base : deltas.get(deltas.size() - 1).content().table();
    EmbeddingSpec spec = last.spec();
    EmbeddingSpec chosen = spec.withOptimizer(optimizer.apply(spec.optimizer()));
    List<DeltaRun> runs = DeltaRun.of(base, deltas);
    JavaRDD<EmbeddingPartition> rdd = loaded(spark, directory, chosen, base.files(), runs.get(0));
    for (int i = 1; i < runs.size(); i++) {
      rdd = loaded(spark, directory, chosen, rdd, runs.get(i));
    }
    VersionLineage.persist(rdd, 0);
    TableCheckpoint checkpoint = base.id().isEmpty() ? null : SavedDelta.last(base, deltas);
    return EmbeddingTable.of(spark, chosen, rdd, last.steps(), checkpoint);
  }

  /** Returns the partitions of a full save after the deltas of a run. */
  private static JavaRDD<EmbeddingPartition> loaded(
      SparkSession spark,
      SavedDirectory directory,
      EmbeddingSpec spec,
      List<String> saved,
      DeltaRun run) {
    LoadTask task = new LoadTask(directory, EmbeddingTable.delta(spec, saved.size()), run.since());
    return files(spark, saved.size(), partition -> run.files(saved.get(partition), partition))
        .map(files -> task.applied(task.load(files.get(0)), files.subList(1, files.size())));
  }

  /** Returns the names of files by partition; of the names of all, a task gets its own. */
  private static JavaRDD<List<String>> files(
      SparkSession spark, int partitions, IntFunction<List<String>> ofPartition) {
    List<List<String>> all = IntStream.range(0, partitions).mapToObj(ofPartition).toList();
    return JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(all, partitions);
  }

  /** Returns the partitions of a table after the deltas of a run in another number of them. */
  private static JavaRDD<EmbeddingPartition> loaded(
      SparkSession spark,
      SavedDirectory directory,
      EmbeddingSpec spec,
      JavaRDD<EmbeddingPartition> before,
      DeltaRun run) {
    PartitionDelta from = EmbeddingTable.delta(spec, before.getNumPartitions());
    PartitionDelta to = EmbeddingTable.delta(spec, run.partitions());
    Repartitioner repartitioner =
        Repartitioner.of(to.layout(), from.directory(), to.directory(), "");
    LoadTask task = new LoadTask(directory, to, run.since());
    return PartitionTasks.of(
        MovedPartitions.of(before, repartitioner, run.partitions()),
        files(spark, run.partitions(), run::files),
        (moved, files) ->
            List.of(task.applied(EmbeddingPartition.only(moved), files.next())).iterator());
  }

  /** Deletes the files of a saved table, and its directory if nothing else is in it. */
  static void delete(SparkSession spark, String path) throws IOException {
    SavedDirectory directory = directory(spark, path);
    directory.delete(manifest(directory).files());
  }

  static Manifest manifest(SavedDirectory directory) {
    try {
      ObjectNode tree = ManifestJson.tree(directory.manifest());
      ManifestJson.requireFormat(tree, FORMAT);
      addMissingSettings(tree);
      Manifest manifest = ManifestJson.read(tree, Manifest.class);
      manifest.requireValid();
      return manifest;
    } catch (IOException e) {
      throw EmbeddingErrors.notASavedEmbedding(directory.toString(), e);
    }
  }

  /**
   * Adds settings that older versions did not save, with the values those versions used, so that
   * training resumes with the same bits.
   */
  private static void addMissingSettings(ObjectNode manifest) {
    manifest.putIfAbsent("stateDType", ManifestJson.node(DType.FLOAT32.toString()));
    manifest.putIfAbsent("rounding", ManifestJson.node(WeightRounding.NEAREST));
    manifest.putIfAbsent("badGradients", ManifestJson.node(BadGradients.error()));
    manifest.putIfAbsent("id", ManifestJson.node(""));
    manifest.putIfAbsent("usage", ManifestJson.node(RowUsage.NOTHING));
    manifest.putIfAbsent("admission", ManifestJson.node(RowAdmission.immediate()));
    if (manifest.path("optimizer") instanceof ObjectNode optimizer
        && optimizer.path("kind").asText().equals("ftrl")) {
      optimizer.putIfAbsent("shrinkage", ManifestJson.node(0.0));
    }
  }
}
