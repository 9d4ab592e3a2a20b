/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.export.ExportFormat;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.kernel.ForkedJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests exports of tables that are larger than what the driver receives at a time, with a small
 * heap. {@code -Dsparknd.test.all=true} exports more than 2 GiB.
 */
@Tag("slow")
class LargeExportTest {
  private static final int DIM = 64;
  private static final int ROW_BYTES = DIM * Float.BYTES;

  /** 146 MiB, or 2.1 GiB. */
  private static final long ROWS = Boolean.getBoolean("sparknd.test.all") ? 9_000_000 : 600_000;

  /** 137 MiB. */
  private static final long KEYS = 560_000;

  private static final String HEAP = "-Xmx256m";
  private static final Initializer INITIALIZER = Initializer.uniform(-1, 1, 7);
  private static final TensorColumns COLUMNS = TensorColumns.of("g", "id");

  @TempDir private Path directory;

  /** Exports the tables, in a JVM of its own. */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.memory.fraction", 0.3)
            .config("spark.local.dir", directory.resolve("spark").toString())
            .config("spark.testing.reservedMemory", 64 << 20) // with 300 MiB, it would not start
            .getOrCreate();
    EmbeddingTable numbered =
        EmbeddingTable.create(
                spark,
                EmbeddingSpec.of(Long.parseLong(arguments[1]), DIM, Optimizer.sgd(1))
                    .withInitializer(INITIALIZER)
                    .withPartitions((int) (Long.parseLong(arguments[1]) / 75_000)))
            .apply(
                spark
                    .range(0, Long.parseLong(arguments[1]), 1000)
                    .selectExpr("id", "array_repeat(float(0.25), 64) AS g"),
                COLUMNS);
    numbered.export(ExportFormat.safetensors(), directory.resolve("safetensors"));
    numbered.export(ExportFormat.npy(), directory.resolve("npy"));
    numbered.export(ExportFormat.onnx(), directory.resolve("onnx"));
    numbered.close();
    EmbeddingTable.create(spark, EmbeddingSpec.keyed(DIM, Optimizer.sgd(1)).withPartitions(16))
        .apply(
            spark
                .range(0, KEYS, 1, 16)
                .selectExpr(
                    "id * 7919 - 1000000000 AS id", "array_repeat(float(id % 1000), 64) AS g"),
            COLUMNS)
        .export(ExportFormat.onnx().withInlineBytes(0), directory.resolve("keyed"));
    spark.stop();
    System.out.println("exported");
  }

  /** Returns a row of the table with numbered rows. */
  private static float[] numbered(long row) {
    float[] weights = new float[DIM];
    INITIALIZER.fill(row, weights, 0, DIM);
    for (int i = 0; row % 1000 == 0 && i < DIM; i++) {
      weights[i] -= 0.25f;
    }
    return weights;
  }

  private static float[] keyed(long row) {
    float[] weights = new float[DIM];
    Arrays.fill(weights, 0 - row % 1000f);
    return weights;
  }

  @Test
  void tablesOfSeveralBatchesAreExported() throws Exception {
    ForkedJvm run =
        ForkedJvm.runForSpark(
            List.of(
                HEAP,
                "-XX:TieredStopAtLevel=4",
                "-cp",
                System.getProperty("java.class.path"),
                LargeExportTest.class.getName(),
                directory.toString(),
                Long.toString(ROWS)));
    assertThat(run.output()).contains("exported");
    assertSafetensors(directory.resolve("safetensors/model.safetensors"));
    assertNpy(directory.resolve("npy/weight.npy"));
    Path onnx = directory.resolve("onnx");
    assertThat(Files.exists(onnx.resolve("model.onnx.data"))).isEqualTo(ROWS > 8_000_000);
    long[] some = {0, 1, ROWS / 2, ROWS - 1, 524_287, 524_288}; // 128 MiB end between the last
    assertThat(gathered(onnx.resolve("model.onnx"), some))
        .isEqualTo(LongStream.of(some).mapToObj(row -> numbered(row)).toArray(float[][]::new));
    assertKeyed(directory.resolve("keyed"));
  }

  private static void assertSafetensors(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      int length = Math.toIntExact(read(channel, 0, Long.BYTES).getLong());
      JsonNode weight =
          new ObjectMapper().readTree(read(channel, Long.BYTES, length).array()).get("weight");
      assertThat(weight.get("shape").get(0).asLong()).isEqualTo(ROWS);
      assertThat(weight.get("data_offsets").get(0).asLong()).isZero();
      assertThat(weight.get("data_offsets").get(1).asLong()).isEqualTo(ROWS * ROW_BYTES);
      assertRows(channel, Long.BYTES + length, ROWS, LargeExportTest::numbered);
    }
  }

  private static void assertNpy(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      int length = read(channel, 8, Short.BYTES).getShort();
      String header = new String(read(channel, 10, length).array(), StandardCharsets.UTF_8);
      assertThat(header).contains("'<f4'", "'fortran_order': False", "(" + ROWS + ", " + DIM + ")");
      assertRows(channel, 10 + length, ROWS, LargeExportTest::numbered);
    }
  }

  private static void assertKeyed(Path onnx) throws Exception {
    try (FileChannel weights = FileChannel.open(onnx.resolve("model.onnx.data"))) {
      assertRows(weights, 0, KEYS, LargeExportTest::keyed);
    }
    try (FileChannel ids = FileChannel.open(onnx.resolve("ids.npy"))) {
      int header = 10 + read(ids, 8, Short.BYTES).getShort();
      int bytes = Math.toIntExact(KEYS * Long.BYTES);
      assertThat(ids.size()).isEqualTo(header + bytes);
      long[] keys = new long[(int) KEYS];
      read(ids, header, bytes).asLongBuffer().get(keys);
      assertThat(keys)
          .isEqualTo(LongStream.range(0, KEYS).map(id -> id * 7919 - 1_000_000_000).toArray());
    }
    assertThat(gathered(onnx.resolve("model.onnx"), KEYS - 1)[0]).isEqualTo(keyed(KEYS - 1));
  }

  private interface Rows {
    float[] row(long number);
  }

  private static void assertRows(FileChannel channel, long offset, long count, Rows expected)
      throws IOException {
    assertThat(channel.size()).isEqualTo(offset + count * ROW_BYTES);
    int some = 4096;
    float[] row = new float[DIM];
    for (long first = 0; first < count; first += some) {
      int rows = (int) Math.min(some, count - first);
      ByteBuffer bytes = read(channel, offset + first * ROW_BYTES, rows * ROW_BYTES);
      for (int i = 0; i < rows; i++) {
        bytes.asFloatBuffer().get(row);
        bytes.position(bytes.position() + ROW_BYTES);
        if (!Arrays.equals(row, expected.row(first + i))) {
          assertThat(row).as("row %d", first + i).isEqualTo(expected.row(first + i));
        }
      }
    }
  }

  private static ByteBuffer read(FileChannel channel, long position, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      assertThat(channel.read(buffer, position + buffer.position())).isPositive();
    }
    return buffer.flip();
  }

  private static float[][] gathered(Path model, long... ids) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(model.toString());
        OnnxTensor rows = OnnxTensor.createTensor(environment, ids);
        OrtSession.Result result = session.run(Map.of("rows", rows))) {
      return (float[][]) result.get("embedding").orElseThrow().getValue();
    }
  }
}
