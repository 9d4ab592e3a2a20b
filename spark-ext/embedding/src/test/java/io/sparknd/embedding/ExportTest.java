/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.SneakyThrow;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.export.ExportFormat;
import io.sparknd.embedding.export.OnnxFormat;
import io.sparknd.embedding.export.SafetensorsFormat;
import io.sparknd.embedding.export.WeightPrecision;
import io.sparknd.embedding.internal.export.NewDirectory;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests exports with readers made from the formats' specifications, and with ONNX Runtime. */
class ExportTest {
  private static final int ROWS = 301;
  private static final int DIM = 5;

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  /** Some rows are trained, the others are generated. */
  private EmbeddingTable numbered(DType dtype) {
    EmbeddingSpec spec =
        EmbeddingSpec.of(ROWS, DIM, Optimizer.adagrad(0.1))
            .withDType(dtype)
            .withInitializer(Initializer.uniform(-1, 1, 5))
            .withPartitions(3);
    return trained(EmbeddingTable.create(spark, spec), "id * 7 % 290");
  }

  private EmbeddingTable keyed() {
    EmbeddingSpec spec = EmbeddingSpec.keyed(DIM, Optimizer.adagrad(0.1)).withPartitions(3);
    return trained(EmbeddingTable.create(spark, spec), "xxhash64(id)");
  }

  private EmbeddingTable trained(EmbeddingTable table, String id) {
    return table.apply(
        spark.sql(
            "SELECT "
                + id
                + " AS row, transform(sequence(1, 5), j -> CAST(sin(id * j) AS float))"
                + " AS gradient FROM range(99)"),
        TensorColumns.of("gradient", "row"));
  }

  /** It made a folder s3a: in the working directory. */
  @Test
  void aUriIsNoTarget() {
    try (EmbeddingTable table = numbered(DType.FLOAT32)) {
      assertThatThrownBy(
              () -> table.export(ExportFormat.safetensors(), Path.of("s3a://models/pages")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("s3a:/models/pages cannot be written");
    }
    assertThat(Path.of("s3a:")).doesNotExist();
  }

  private static float[] weights(EmbeddingTable table) {
    Tensor weights = table.weights().collect();
    float[] floats = new float[ROWS * DIM];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = ((Number) weights.element(i)).floatValue();
    }
    return floats;
  }

  private static Map<Long, float[]> rows(EmbeddingTable table) {
    Map<Long, float[]> rows = new TreeMap<>();
    for (Row row : table.toDataset().collectAsList()) {
      List<Float> weights = row.getList(1);
      float[] floats = new float[DIM];
      IntStream.range(0, DIM).forEach(j -> floats[j] = weights.get(j));
      rows.put(row.getLong(0), floats);
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(WeightPrecision.class)
  void safetensorsHaveTheWeightsRoundedToTheirPrecision(WeightPrecision precision)
      throws IOException {
    EmbeddingTable table = numbered(DType.FLOAT32);
    Path target = directory.resolve("pages");
    List<Path> files = table.export(ExportFormat.safetensors().withPrecision(precision), target);
    assertThat(files).containsExactly(target.resolve("model.safetensors"));
    SafetensorsFile file = SafetensorsFile.read(files.get(0));
    assertThat(file.names())
        .isEqualTo(
            precision == WeightPrecision.INT8 ? List.of("scale", "weight") : List.of("weight"));
    assertThat(file.shape("weight")).containsExactly(ROWS, DIM);
    assertRounded(read(file, precision), weights(table), precision);
  }

  private static float[] read(SafetensorsFile file, WeightPrecision precision) {
    float[] weights = file.floats("weight");
    if (precision == WeightPrecision.INT8) {
      assertThat(file.shape("scale")).containsExactly(ROWS, 1);
      float[] scales = file.floats("scale");
      for (int i = 0; i < weights.length; i++) {
        weights[i] *= scales[i / DIM];
      }
    }
    return weights;
  }

  private static void assertRounded(float[] read, float[] weights, WeightPrecision precision) {
    assertThat(read).hasSameSizeAs(weights);
    for (int i = 0; i < read.length; i++) {
      float largest = 0;
      for (int j = i / DIM * DIM; j < (i / DIM + 1) * DIM; j++) {
        largest = Math.max(largest, Math.abs(weights[j]));
      }
      double error =
          switch (precision) {
            case FLOAT32 -> 0;
            case FLOAT16 -> Math.max(0x1p-25, Math.abs(weights[i]) * 0x1p-11);
            case BFLOAT16 -> Math.abs(weights[i]) * 0x1p-8;
            case INT8 -> largest / 127 * 0.5001;
          };
      assertThat((double) read[i]).isCloseTo(weights[i], within(error));
    }
  }

  @Test
  void halfPrecisionTablesAreExportedInTheirOwnBits() throws IOException {
    for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16)) {
      EmbeddingTable table = numbered(dtype);
      WeightPrecision precision = WeightPrecision.valueOf(dtype.name());
      for (WeightPrecision to : List.of(WeightPrecision.FLOAT32, precision)) {
        Path target = directory.resolve(dtype + "-" + to);
        List<Path> files = table.export(ExportFormat.safetensors().withPrecision(to), target);
        assertThat(SafetensorsFile.read(files.get(0)).floats("weight")).isEqualTo(weights(table));
      }
    }
  }

  @Test
  void largeTablesAreSeveralSafetensorsFilesOfConsecutiveRows() throws IOException {
    EmbeddingTable table = numbered(DType.FLOAT32);
    SafetensorsFormat format =
        ExportFormat.safetensors()
            .withPrecision(WeightPrecision.INT8)
            .withShardBytes(100 * (DIM + 4) + 1);
    Path target = directory.resolve("shards");
    List<Path> files = table.export(format, target);
    assertThat(files)
        .containsExactly(
            target.resolve("model-00001-of-00004.safetensors"),
            target.resolve("model-00002-of-00004.safetensors"),
            target.resolve("model-00003-of-00004.safetensors"),
            target.resolve("model-00004-of-00004.safetensors"),
            target.resolve("model.safetensors.index.json"));
    float[] all = new float[ROWS * DIM];
    for (int shard = 0; shard < 4; shard++) {
      SafetensorsFile file = SafetensorsFile.read(files.get(shard));
      assertThat(file.names()).containsExactly("scale." + shard, "weight." + shard);
      assertThat(file.shape("weight." + shard)).containsExactly(shard == 3 ? 1 : 100, DIM);
      float[] weights = file.floats("weight." + shard);
      float[] scales = file.floats("scale." + shard);
      for (int i = 0; i < weights.length; i++) {
        all[shard * 100 * DIM + i] = weights[i] * scales[i / DIM];
      }
    }
    assertRounded(all, weights(table), WeightPrecision.INT8);
    Map<String, String> index = SafetensorsFile.index(files.get(4), ROWS * (DIM + 4));
    assertThat(index)
        .hasSize(8)
        .containsEntry("weight.0", "model-00001-of-00004.safetensors")
        .containsEntry("scale.3", "model-00004-of-00004.safetensors");
  }

  @Test
  void keysAreATensorBesideTheWeights() throws IOException {
    EmbeddingTable table = keyed();
    Map<Long, float[]> expected = rows(table);
    List<Path> files = table.export(ExportFormat.safetensors(), directory.resolve("keyed"));
    SafetensorsFile file = SafetensorsFile.read(files.get(0));
    assertThat(file.names()).containsExactly("ids", "weight");
    assertThat(file.longs("ids"))
        .containsExactly(expected.keySet().stream().mapToLong(Long::longValue).toArray());
    assertThat(file.floats("weight")).isEqualTo(flat(expected));
    table.repartition(2).export(ExportFormat.safetensors(), directory.resolve("moved"));
    assertThat(directory.resolve("moved/model.safetensors")).hasSameBinaryContentAs(files.get(0));
  }

  private static float[] flat(Map<Long, float[]> rows) {
    float[] all = new float[rows.size() * DIM];
    int next = 0;
    for (float[] row : rows.values()) {
      System.arraycopy(row, 0, all, next, DIM);
      next += DIM;
    }
    return all;
  }

  @Test
  void npyFilesHaveWeightsScalesAndKeys() {
    EmbeddingTable table = keyed();
    Map<Long, float[]> expected = rows(table);
    Path target = directory.resolve("npy");
    assertThat(table.export(ExportFormat.npy().withPrecision(WeightPrecision.INT8), target))
        .extracting(file -> file.getFileName().toString())
        .containsExactly("ids.npy", "scale.npy", "weight.npy");
    float[] scales = (float[]) Npy.read(target.resolve("scale.npy")).array();
    byte[] weights = (byte[]) Npy.read(target.resolve("weight.npy")).array();
    float[] flat = flat(expected);
    for (int i = 0; i < weights.length; i++) {
      assertThat(weights[i] * scales[i / DIM]).isCloseTo(flat[i], within(scales[i / DIM] * 0.501f));
    }
    assertThat((long[]) Npy.read(target.resolve("ids.npy")).array())
        .containsExactly(expected.keySet().stream().mapToLong(Long::longValue).toArray());
  }

  @ParameterizedTest
  @EnumSource(WeightPrecision.class)
  void onnxRuntimeGathersTheSameRows(WeightPrecision precision) throws Exception {
    EmbeddingTable table = numbered(DType.FLOAT32);
    float[] weights = weights(table);
    OnnxFormat inline = ExportFormat.onnx().withPrecision(precision);
    List<Path> model = table.export(inline, directory.resolve("inline"));
    assertThat(model).hasSize(1);
    List<Path> split = table.export(inline.withInlineBytes(0), directory.resolve("beside"));
    assertThat(split)
        .extracting(file -> file.getFileName().toString())
        .containsExactly("model.onnx", "model.onnx.data");
    long[] ids = {0, 7, 300, 7, 299};
    for (Path file : List.of(model.get(0), split.get(0))) {
      float[][] found = gathered(file, ids);
      float[] all = weights.clone();
      for (int i = 0; i < ids.length; i++) {
        System.arraycopy(found[i], 0, all, (int) ids[i] * DIM, DIM);
      }
      assertRounded(all, weights, precision);
    }
  }

  private static float[][] gathered(Path model, long[] ids) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(model.toString());
        OnnxTensor rows = OnnxTensor.createTensor(environment, ids);
        OrtSession.Result result = session.run(Map.of("rows", rows))) {
      return (float[][]) result.get("embedding").orElseThrow().getValue();
    }
  }

  @Test
  void keysOfAnOnnxModelAreBesideIt() throws Exception {
    EmbeddingTable table = keyed();
    Map<Long, float[]> expected = rows(table);
    Path target = directory.resolve("keyed");
    table.export(ExportFormat.onnx(), target);
    long[] ids = (long[]) Npy.read(target.resolve("ids.npy")).array();
    float[][] found = gathered(target.resolve("model.onnx"), new long[] {3, 98});
    assertThat(found[0]).isEqualTo(expected.get(ids[3]));
    assertThat(found[1]).isEqualTo(expected.get(ids[98]));
  }

  @Test
  void nothingIsOverwritten() throws IOException {
    EmbeddingTable table = numbered(DType.FLOAT32);
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path file = Files.writeString(directory.resolve("file"), "kept");
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("nowhere"));
    for (Path target : List.of(empty, file, link)) {
      assertThatThrownBy(() -> table.export(ExportFormat.npy(), target))
          .isInstanceOf(SparkNdException.class)
          .hasMessage(target + " exists, and an export overwrites nothing: name a new directory");
    }
    assertThat(file).hasContent("kept");
    assertThat(files()).containsExactly("empty", "file", "link");
  }

  private List<String> files() throws IOException {
    try (var all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void failedExportLeavesNothing() throws IOException {
    EmbeddingSpec spec =
        EmbeddingSpec.of(40, 2, Optimizer.sgd(1)).withInitializer(Initializer.constant(70_000));
    EmbeddingTable table = EmbeddingTable.create(spark, spec);
    for (ExportFormat format :
        List.of(
            ExportFormat.safetensors().withPrecision(WeightPrecision.FLOAT16),
            ExportFormat.onnx().withPrecision(WeightPrecision.FLOAT16),
            ExportFormat.npy().withPrecision(WeightPrecision.FLOAT16))) {
      assertThatThrownBy(() -> table.export(format, directory.resolve("half")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("row 0 has a weight of 70000.0, which is not finite as FLOAT16");
      assertThat(files()).isEmpty();
    }
    table.export(ExportFormat.npy().withPrecision(WeightPrecision.INT8), directory.resolve("x"));
  }

  /** A failed job is a checked exception that Spark does not declare. */
  @Test
  void directoryIsDeletedAfterEveryKindOfFailure() throws IOException {
    for (Throwable failure :
        List.of(new SparkException("job"), new IOException("disk"), new OutOfMemoryError("heap"))) {
      assertThatThrownBy(
              () ->
                  NewDirectory.write(
                      directory.resolve("failed"),
                      draft -> {
                        Files.writeString(draft.resolve("part"), "half");
                        throw SneakyThrow.thrown(failure);
                      }))
          .hasStackTraceContaining(failure.getMessage());
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void parentThatIsAFileIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "kept");
    assertThatThrownBy(() -> NewDirectory.write(file.resolve("pages"), draft -> {}))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("pages cannot be written")
        .hasMessageContaining("NotDirectoryException");
  }

  @Test
  void tensorsOfAFileAreAligned() throws IOException {
    SafetensorsFormat format = ExportFormat.safetensors().withPrecision(WeightPrecision.INT8);
    List<Path> files = keyed().export(format.withShardBytes(700), directory.resolve("odd"));
    for (Path file : files.subList(0, files.size() - 1)) {
      assertThat(SafetensorsFile.read(file).names()).hasSize(3);
    }
  }

  @Test
  void tablesWithoutRowsAreExported() throws IOException {
    EmbeddingTable table =
        EmbeddingTable.create(spark, EmbeddingSpec.keyed(DIM, Optimizer.sgd(1)).withPartitions(2));
    List<Path> files = table.export(ExportFormat.safetensors(), directory.resolve("none"));
    SafetensorsFile file = SafetensorsFile.read(files.get(0));
    assertThat(file.shape("weight")).containsExactly(0, DIM);
    assertThat(file.longs("ids")).isEmpty();
  }

  @Test
  void sizesOutOfBoundsAreRejected() {
    assertThatThrownBy(() -> ExportFormat.safetensors().withShardBytes(0))
        .hasMessageContaining("shardBytes is 0; it must be in [1, ");
    assertThatThrownBy(() -> ExportFormat.onnx().withInlineBytes(1L << 31))
        .hasMessage("inlineBytes is 2147483648; it must be in [0, 2146435072]");
  }
}
