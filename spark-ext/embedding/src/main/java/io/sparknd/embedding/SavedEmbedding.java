/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparknd.cluster.internal.files.SavedDirectory;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.TensorErrors;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
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
  private static final int FORMAT = 1;
  private static final int BUFFER = 64 << 10;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

  private SavedEmbedding() {}

  /**
   * The content of {@code embedding.json}.
   *
   * @param rows number of rows; 0 if ids are keys
   */
  record Manifest(
      int format,
      long rows,
      int dim,
      String dtype,
      String stateDType,
      Optimizer optimizer,
      Initializer initializer,
      WeightRounding rounding,
      BadGradients badGradients,
      long steps,
      List<String> files) {

    static Manifest of(EmbeddingSpec spec, long steps, List<String> files) {
      return new Manifest(
          FORMAT,
          spec.rows(),
          spec.dim(),
          spec.dtype().toString(),
          spec.stateDType().toString(),
          spec.optimizer(),
          spec.initializer(),
          spec.rounding(),
          spec.badGradients(),
          steps,
          files);
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
          badGradients);
    }
  }

  static void save(EmbeddingTable table, String path) {
    SavedDirectory directory = SavedDirectory.of(table.spark(), path, MANIFEST, SUFFIX);
    directory.save(
        () ->
            table
                .rdd()
                .map(partition -> directory.write(partition.index(), out -> write(partition, out)))
                .collect(),
        files ->
            JSON.writerWithDefaultPrettyPrinter()
                .writeValueAsBytes(Manifest.of(table.spec(), table.steps(), files)));
  }

  private static void write(EmbeddingPartition partition, OutputStream out) throws IOException {
    CRC32C sum = new CRC32C();
    partition.writeTo(new CheckedOutputStream(out, sum));
    new DataOutputStream(out).writeLong(sum.getValue());
  }

  /**
   * Loads a saved table with the same number of partitions; it is persisted once read.
   *
   * @param optimizer maps the saved optimizer to that of the table
   */
  static EmbeddingTable load(SparkSession spark, String path, UnaryOperator<Optimizer> optimizer) {
    SavedDirectory directory = SavedDirectory.of(spark, path, MANIFEST, SUFFIX);
    Manifest manifest = manifest(directory);
    EmbeddingSpec spec = manifest.spec();
    EmbeddingSpec chosen = spec.withOptimizer(optimizer.apply(spec.optimizer()));
    JavaRDD<EmbeddingPartition> rdd =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(manifest.files(), manifest.files().size())
            .map(file -> read(directory, file));
    VersionLineage.persist(rdd, 0);
    return EmbeddingTable.of(spark, chosen, rdd, manifest.steps());
  }

  /** Deletes the files of a saved table, and its directory if nothing else is in it. */
  static void delete(SparkSession spark, String path) throws IOException {
    SavedDirectory directory = SavedDirectory.of(spark, path, MANIFEST, SUFFIX);
    directory.delete(manifest(directory).files());
  }

  private static Manifest manifest(SavedDirectory directory) {
    try {
      JsonNode tree = JSON.readTree(directory.manifest());
      addMissingSettings(tree);
      Manifest manifest = JSON.treeToValue(tree, Manifest.class);
      if (manifest.format() != FORMAT || manifest.files().isEmpty()) {
        throw EmbeddingErrors.notASavedEmbedding(directory.toString(), null);
      }
      return manifest;
    } catch (IOException e) {
      throw EmbeddingErrors.notASavedEmbedding(directory.toString(), e);
    }
  }

  /**
   * Adds settings that older versions did not save, with the values those versions used, so that
   * training resumes with the same bits.
   */
  private static void addMissingSettings(JsonNode tree) {
    if (tree instanceof ObjectNode manifest) {
      manifest.putIfAbsent("stateDType", JSON.valueToTree(DType.FLOAT32.toString()));
      manifest.putIfAbsent("rounding", JSON.valueToTree(WeightRounding.NEAREST));
      manifest.putIfAbsent("badGradients", JSON.valueToTree(BadGradients.error()));
    }
    if (tree.path("optimizer") instanceof ObjectNode optimizer
        && optimizer.path("kind").asText().equals("ftrl")) {
      optimizer.putIfAbsent("shrinkage", JSON.valueToTree(0.0));
    }
  }

  private static EmbeddingPartition read(SavedDirectory directory, String file) {
    try {
      verify(directory, file);
      try (InputStream in = directory.open(file)) {
        return EmbeddingPartition.readFrom(in);
      }
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory + "/" + file, e);
    }
  }

  /**
   * Verifies the checksum before anything is parsed: a corrupt length could allocate all memory.
   */
  private static void verify(SavedDirectory directory, String file) throws IOException {
    CRC32C sum = new CRC32C();
    byte[] bytes = new byte[BUFFER];
    int held = 0;
    try (InputStream in = directory.open(file)) {
      for (int read = 0; read >= 0; read = in.read(bytes, held, bytes.length - held)) {
        int body = Math.max(0, held + read - Long.BYTES);
        sum.update(bytes, 0, body);
        held += read - body;
        System.arraycopy(bytes, body, bytes, 0, held);
      }
    }
    if (held < Long.BYTES || ByteBuffer.wrap(bytes).getLong() != sum.getValue()) {
      throw new IOException("CRC-32C checksum mismatch; the file is damaged");
    }
  }
}
