/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.DamagedJson;
import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.SavedTensorInfo;
import io.sparknd.cluster.TensorInside;
import io.sparknd.cluster.internal.partition.RangeBlockPartitioner;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what a load makes of the files of a saved tensor. */
class SavedTensorTest {
  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path folder;

  private String saved(DistributedTensor tensor, String name) {
    String directory = folder.resolve(name).toString();
    tensor.save(directory);
    return directory;
  }

  private static long bytes(DistributedTensor tensor) {
    return TensorInside.blocks(tensor).rdd().map(TensorPartition::estimatedSize).collect().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** A dense tensor of this shape has 6.4 MB. */
  @Test
  void sparseTensorStaysSparse() {
    int rows = 10;
    ScatterCall call =
        ScatterCall.of(
            Scatter.update(),
            Tensor.wrap(
                DType.INT64,
                Shape.of(rows, 1),
                LongStream.range(0, rows).map(i -> 9999 * i).toArray()),
            Tensor.fill(DType.FLOAT32, Shape.of(rows, 16), 1));
    try (DistributedTensor zeros =
            DistributedTensor.zeros(
                spark, DType.FLOAT32, Shape.of(100_000, 16), new Partitioning(2, 4096));
        DistributedTensor written = zeros.scatter(call)) {
      String first = saved(written, "first");
      try (DistributedTensor loaded = DistributedTensor.load(spark, first, Partitioning.of(3))) {
        assertThat(bytes(loaded)).isLessThan(200_000);
        String second = saved(loaded, "second");
        assertThat(SavedTensorInfo.read(Path.of(second)).fileBytes()).isLessThan(200_000);
      }
    }
  }

  /** Saves the tensor {@code [100]} of 0, 10, 20 and so on, in ranges of rows. */
  private String savedInRanges() {
    try (DistributedTensor ranges =
        DistributedTensor.fromDataset(
            spark.sql("SELECT id, id * 10 AS value FROM range(0, 100, 1, 4)"),
            TensorColumns.of("value", "id"),
            DType.INT64,
            Shape.of(100),
            Partitioning.AUTO.withBlockBytes(64))) {
      assertThat(TensorInside.blocks(ranges).layout().rows())
          .isInstanceOf(RangeBlockPartitioner.class);
      return saved(ranges, "ranges");
    }
  }

  /** Hadoop takes what is before a colon for the scheme of a URI. */
  @Test
  void aPathThatHadoopRefusesIsASparkNdError() {
    try (DistributedTensor tensor =
        DistributedTensor.zeros(spark, DType.FLOAT32, Shape.of(4), Partitioning.of(1))) {
      for (String path : List.of("rel:1", "")) {
        assertThatThrownBy(() -> tensor.save(path))
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining(path + " cannot be written");
        assertThatThrownBy(() -> DistributedTensor.load(spark, path, Partitioning.AUTO))
            .isInstanceOf(SparkNdException.class);
      }
    }
  }

  @Test
  void loadInAnotherPartitioningCachesOneTensor() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    String directory = savedInRanges();
    Set<Integer> before = Set.copyOf(context.getPersistentRDDs().keySet());
    try (DistributedTensor loaded = DistributedTensor.load(spark, directory, Partitioning.of(7))) {
      assertThat(((long[]) loaded.collect().array())[99]).isEqualTo(990);
      Set<Integer> added = new HashSet<>(context.getPersistentRDDs().keySet());
      added.removeAll(before);
      assertThat(added).hasSize(1);
    }
  }

  private static void replaceInManifest(String directory, String part, String replacement)
      throws IOException {
    Path manifest = Path.of(directory, SavedTensor.MANIFEST);
    String before = Files.readString(manifest);
    String after = before.replaceFirst(part, replacement);
    assertThat(after).isNotEqualTo(before);
    Files.deleteIfExists(Path.of(directory, ".tensor.json.crc"));
    Files.writeString(manifest, after);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          (?s).+                        | {}
          (?s).+                        | null
          "format" : 1                  | "format" : 2
          "dtype" : "float32",          | ''
          "shape" : \\[[^]]*\\],        | ''
          ,\\s*"files" : \\[[^]]*\\]    | ''
          "partitions" : 2              | "partitions" : 3
          """)
  void otherManifestsAreRejected(String part, String replacement) throws IOException {
    String directory =
        saved(
            DistributedTensor.zeros(spark, DType.FLOAT32, Shape.of(4, 2), Partitioning.of(2)),
            "saved");
    replaceInManifest(directory, part, replacement);
    assertThatThrownBy(() -> SavedTensorInfo.read(Path.of(directory)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not a saved tensor");
    assertThatThrownBy(() -> DistributedTensor.load(spark, directory, Partitioning.AUTO))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not a saved tensor");
  }

  /** The manifest of a tensor in ranges has all fields. */
  @Test
  void damagedFieldsAreNamed() throws IOException {
    String directory = savedInRanges();
    Path manifest = Path.of(directory, SavedTensor.MANIFEST);
    for (DamagedJson damage : DamagedJson.of(Files.readString(manifest))) {
      if (damage.isShorterList()) {
        continue; // a shorter shape is one, too
      }
      damage.writeTo(manifest);
      assertThat(catchThrowable(() -> SavedTensorInfo.read(Path.of(directory))))
          .as(damage.toString())
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(directory)
          .hasMessageContaining(damage.field());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "blockBytes" : \\d+      | "blockBytes" : 0
          "partitions" : \\d+      | "partitions" : 0
          "shape" : \\[ 100 \\]   | "shape" : [ -100 ]
          "dtype" : "int64"        | "dtype" : "int63"
          "dtype" : "int64"        | "dtype" : "int64", "dtype" : "int64"
          "dtype" : "int64"        | "dtype" : "int64", "tensor" : 1
          "firstRows" : \\[ 0,     | "firstRows" : [ 1,
          "owners" : \\[ \\d,      | "owners" : [ -1,
          "owners" : \\[ \\d,      | "owners" : [ 99,
          (?s)}\\s*$               | }, 1
          """)
  void impossibleValuesAreRefused(String part, String replacement) throws IOException {
    String directory = savedInRanges();
    replaceInManifest(directory, part, replacement);
    assertThatThrownBy(() -> SavedTensorInfo.read(Path.of(directory)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("is not a saved tensor: tensor.json cannot be read: ");
  }
}
