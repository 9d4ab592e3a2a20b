/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.ForkedJvm;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the engine with other serialization, encryption and compression settings, in a separate JVM
 * that has its own sessions, one after the other.
 */
@Tag("slow")
class OtherSettingsTest {
  private static final String DONE = "all the same with ";

  private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";

  private static final Map<String, Map<String, String>> SETTINGS =
      Map.of(
          "Kryo", Map.of("spark.serializer", KRYO),
          "registered classes",
              Map.of(
                  "spark.serializer",
                  KRYO,
                  "spark.kryo.registrationRequired",
                  "true",
                  "spark.kryo.registrator",
                  TensorKryoRegistrator.class.getName()),
          "encryption", Map.of("spark.io.encryption.enabled", "true"),
          "no compression", Map.of("spark.shuffle.compress", "false"),
          "Zstandard", Map.of("spark.io.compression.codec", "zstd"));

  @Test
  void engineWorksWithTheSettings(@TempDir Path directory) throws Exception {
    List<String> arguments =
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Job.class.getName(),
            directory.toString());
    ForkedJvm run = ForkedJvm.runForSpark(arguments);
    assertThat(run.exit()).as(run.output()).isZero();
    SETTINGS.keySet().forEach(key -> assertThat(run.output()).contains(DONE + key));
  }

  /** The program of the other JVM. */
  static final class Job {
    private static final Tensor DATA =
        Tensor.of(Shape.of(4, 2), 0f, 1f, Float.intBitsToFloat(0x7f800001), 3f, 4f, -0f, 6f, 7f);

    private Job() {}

    public static void main(String[] arguments) throws Exception {
      for (Map.Entry<String, Map<String, String>> setting : SETTINGS.entrySet()) {
        Path directory = Files.createDirectory(Path.of(arguments[0], setting.getKey()));
        run(setting.getKey(), setting.getValue(), directory);
      }
    }

    private static void run(String name, Map<String, String> settings, Path directory)
        throws Exception {
      SparkSession.Builder builder =
          SparkSession.builder().master("local[2]").config("spark.ui.enabled", false);
      settings.forEach(builder::config);
      SparkSession spark = builder.getOrCreate();
      DistributedTensor data = DistributedTensor.of(spark, DATA, new Partitioning(3, 8));
      TensorAssert.assertSameBits(data.collect(), DATA);
      scattersAndGathers(data);
      datasets(data);
      files(spark, data, directory);
      strings(spark, directory.resolve("strings.npy"));
      System.out.println(DONE + name);
      spark.stop();
    }

    private static void scattersAndGathers(DistributedTensor data) {
      Tensor indices = Tensor.of(Shape.of(3, 1), 1L, 3L, 3L);
      ScatterCall add =
          ScatterCall.of(Scatter.add(), indices, Tensor.of(Shape.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f));
      TensorAssert.assertSame(
          data.scatter(add).checkpoint().collect(), Kernels.auto().scatter(DATA, add));
      GatherCall rows = GatherCall.of(Gather.strict(), indices);
      TensorAssert.assertSameBits(data.gather(rows).collect(), Kernels.auto().gather(DATA, rows));
      TensorAssert.assertSameBits(data.repartition(Partitioning.of(2)).collect(), DATA);
    }

    private static void datasets(DistributedTensor data) {
      Dataset<Row> rows = data.toDataset(1);
      DistributedTensor back =
          DistributedTensor.fromDataset(
              rows, SqlRows.columns(1), data.dtype(), data.shape(), Partitioning.of(2));
      TensorAssert.assertSameBits(back.collect(), DATA);
      for (GatherStrategy strategy : GatherStrategy.values()) {
        Dataset<Row> answered =
            data.withStrategy(strategy).gather(Gather.strict(), rows.drop("value"), List.of("i0"));
        assertThat(answered.count()).isEqualTo(4);
        DistributedTensor gathered =
            DistributedTensor.fromDataset(
                answered, SqlRows.columns(1), data.dtype(), data.shape(), Partitioning.of(2));
        TensorAssert.assertSameBits(gathered.collect(), DATA);
      }
    }

    private static void strings(SparkSession spark, Path npy) {
      Tensor words = Tensor.of(Shape.of(4), "a", "", "b", "ccc");
      DistributedTensor strings = DistributedTensor.of(spark, words, new Partitioning(2, 32));
      assertThat(strings.collect()).isEqualTo(words);
      strings.toNpy(npy);
      assertThat(Npy.read(npy)).isEqualTo(words);
    }

    private static void files(SparkSession spark, DistributedTensor data, Path directory)
        throws Exception {
      String saved = directory.resolve("saved").toString();
      data.save(saved);
      TensorAssert.assertSameBits(
          DistributedTensor.load(spark, saved, Partitioning.of(2)).collect(), DATA);
      Path npy = directory.resolve("data.npy");
      data.toNpy(npy);
      TensorAssert.assertSameBits(
          DistributedTensor.fromNpy(spark, npy.toString(), Partitioning.of(2)).collect(), DATA);
      Path columnMajor = directory.resolve("column-major.npy");
      writeColumnMajor(columnMajor);
      TensorAssert.assertSameBits(
          DistributedTensor.fromNpy(spark, columnMajor.toString(), Partitioning.of(2)).collect(),
          Tensor.of(Shape.of(2, 2), 1f, 3f, 2f, 4f));
    }

    /** Writes the numbers 1 to 4 in column-major order. */
    private static void writeColumnMajor(Path file) throws Exception {
      String header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }";
      String padded = String.format("%-117s\n", header);
      ByteBuffer bytes = ByteBuffer.allocate(144).order(ByteOrder.LITTLE_ENDIAN);
      bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
      bytes.put((byte) 1).put((byte) 0).putShort((short) padded.length());
      bytes.put(padded.getBytes(StandardCharsets.US_ASCII));
      bytes.putFloat(1).putFloat(2).putFloat(3).putFloat(4);
      Files.write(file, bytes.array());
    }
  }
}
