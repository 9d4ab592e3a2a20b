/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils$;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests executors with authentication and encryption of network and disk: the bits of results are
 * the same, and Spark's local directories contain no plain data.
 */
@Tag("slow")
class SecureClusterTest {
  private static final Shape TABLE = Shape.of(200_000, 64);
  private static final int HALF = (int) TABLE.dim(0) / 2;
  private static final int MANY = 80_000;

  /** The mark: sixteen consecutive occurrences of this value are in no other file. */
  private static final int MARK = 0x4e6453e7;

  /**
   * Little memory, so that versions and sorts spill to disk. No compression, which would hide the
   * mark.
   */
  private static final Map<String, String> TO_DISK =
      Map.of(
          "spark.memory.fraction", "0.02",
          "spark.shuffle.spill.numElementsForceSpillThreshold", "2",
          "spark.shuffle.compress", "false",
          "spark.shuffle.spill.compress", "false",
          "spark.broadcast.compress", "false");

  @TempDir Path local;

  @Test
  void diskHasNoPlainDataAndResultsAreTheSame() throws Exception {
    Map<String, String> settings = new HashMap<>(LocalCluster.SECURE);
    settings.putAll(TO_DISK);
    assertThat(marked(settings)).isEmpty();
  }

  /** Without encryption, the search finds the mark in files of shuffles and of versions. */
  @Test
  void withoutEncryptionTheMarkIsFound() throws Exception {
    Set<String> found = marked(TO_DISK);
    assertThat(found).anyMatch(name -> name.startsWith("shuffle_0_"));
    assertThat(found).anyMatch(name -> name.startsWith("shuffle_1_"));
    assertThat(found).anyMatch(name -> name.startsWith("rdd_"));
  }

  /** Returns the files with the mark while all shuffles and versions still exist. */
  private Set<String> marked(Map<String, String> more) throws Exception {
    Map<String, String> settings = new HashMap<>(more);
    // workers of a local cluster take this setting from the JVM
    System.setProperty("spark.local.dir", local.toString());
    Utils$.MODULE$.clearLocalRootDirs(); // clear cached directories of an earlier test
    try (LocalCluster cluster = LocalCluster.start(settings)) {
      AtomicLong spilled = countSpilled(cluster.session());
      DistributedTensor zeros =
          DistributedTensor.zeros(cluster.session(), DType.FLOAT32, TABLE, Partitioning.of(6));
      // one task sends 20 MiB through Spark's own shuffle writer, the others little
      DistributedTensor half = withMarks(withMarks(zeros, 0, MANY, 1), MANY, HALF, 6);
      scattersOfTheDriver(half);
      gathers(half);
      hotSlices(cluster.session());
      // a checkpoint gives the shuffles before it back to Spark's cleaner
      Set<String> found = new HashSet<>(withMark(local));
      DistributedTensor cut = half.checkpoint();
      assertThat(cluster.bytesOnDisk()).isPositive();
      assertThat(spilled).hasPositiveValue();
      TensorAssert.assertSameBits(cut.collect(), marks());
      found.addAll(withMark(local));
      return found;
    } finally {
      System.clearProperty("spark.local.dir");
      Utils$.MODULE$.clearLocalRootDirs();
    }
  }

  /** Writes the mark into rows {@code [from, to)}. */
  private static DistributedTensor withMarks(
      DistributedTensor tensor, int from, int to, int sources) {
    Dataset<Row> updates =
        SparkSession.active()
            .range(from, to, 1, sources)
            .selectExpr(
                "id AS slice",
                "array_repeat(float('" + Float.intBitsToFloat(MARK) + "'), 64) AS value");
    return tensor.scatter(Scatter.update(), updates, TensorColumns.of("value", "slice"));
  }

  private static Tensor marks() {
    float[] values = new float[(int) TABLE.elements()];
    Arrays.fill(values, 0, HALF * 64, Float.intBitsToFloat(MARK));
    return Tensor.wrap(DType.FLOAT32, TABLE, values);
  }

  private static void scattersOfTheDriver(DistributedTensor tensor) {
    long[] rows = LongStream.range(0, 2000).map(i -> i * i % TABLE.dim(0)).toArray();
    ScatterCall call =
        ScatterCall.of(
            Scatter.add(),
            Tensor.wrap(DType.INT64, Shape.of(2000, 1), rows),
            Tensor.fill(DType.FLOAT32, Shape.of(2000, 64), 0.1f));
    try (DistributedTensor next = tensor.scatter(call)) {
      TensorAssert.assertSameBits(next.collect(), Kernels.auto().scatter(marks(), call));
    }
  }

  private static void gathers(DistributedTensor tensor) {
    long[] rows = LongStream.range(0, 500).map(i -> i * 7 + HALF - 1000).toArray();
    GatherCall call =
        GatherCall.of(Gather.strict(), Tensor.wrap(DType.INT64, Shape.of(500, 1), rows));
    TensorAssert.assertSameBits(
        tensor.gather(call).collect(), Kernels.auto().gather(marks(), call));
    SparkSession spark = SparkSession.active();
    Dataset<Row> indices = spark.range(HALF - 500, HALF + 500, 1, 4).toDF("slice");
    for (GatherStrategy strategy : GatherStrategy.values()) {
      List<Row> found =
          tensor
              .withStrategy(strategy)
              .gather(Gather.strict(), indices, List.of("slice"))
              .collectAsList();
      assertThat(found).hasSize(1000);
      for (Row row : found) {
        float value = row.<Float>getList(1).get(63);
        int expected = row.getLong(0) < HALF ? MARK : 0;
        assertThat(Float.floatToRawIntBits(value)).isEqualTo(expected);
      }
    }
  }

  /** Runs a scatter with hot slices, whose updates are shuffled twice. */
  private static void hotSlices(SparkSession spark) {
    spark.conf().set("spark.sparknd.skewBytes", "0");
    int count = 50_000;
    Dataset<Row> updates =
        spark
            .range(0, count, 1, 4)
            .selectExpr(
                "if(id % 2 = 0, 3, id % 1000) AS slice",
                "array_repeat(cast(1D / (id + 1) AS float), 16) AS value");
    DistributedTensor sums =
        DistributedTensor.zeros(spark, DType.FLOAT32, Shape.of(1000, 16), Partitioning.of(4))
            .scatter(Scatter.add(), updates, TensorColumns.of("value", "slice"));
    assertThat(sums.metrics().orElseThrow().hotSlices()).isPositive();
    TensorAssert.assertSameBits(sums.collect(), localSums(count));
    spark.conf().unset("spark.sparknd.skewBytes");
  }

  private static Tensor localSums(int count) {
    long[] slices = LongStream.range(0, count).map(i -> i % 2 == 0 ? 3 : i % 1000).toArray();
    float[] values = new float[count * 16];
    IntStream.range(0, values.length).forEach(i -> values[i] = (float) (1D / (i / 16 + 1)));
    return Kernels.auto()
        .scatter(
            Tensor.zeros(DType.FLOAT32, Shape.of(1000, 16)),
            ScatterCall.of(
                Scatter.add(),
                Tensor.wrap(DType.INT64, Shape.of(count, 1), slices),
                Tensor.wrap(DType.FLOAT32, Shape.of(count, 16), values)));
  }

  private static AtomicLong countSpilled(SparkSession spark) {
    AtomicLong spilled = new AtomicLong();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd task) {
                spilled.addAndGet(task.taskMetrics().diskBytesSpilled());
              }
            });
    return spilled;
  }

  /**
   * Returns the names of the files below {@code directory} with sixteen consecutive marks. Spark's
   * cleaner may delete files meanwhile.
   */
  private static Set<String> withMark(Path directory) throws IOException {
    Set<String> found = new TreeSet<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (hasMark(file, ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
              found.add(file.getFileName().toString());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return found;
  }

  private static boolean hasMark(Path file, ByteOrder... orders) {
    String bytes = latin(file);
    return Stream.of(orders).anyMatch(order -> bytes.contains(mark(order)));
  }

  private static String mark(ByteOrder order) {
    ByteBuffer marks = ByteBuffer.allocate(64).order(order);
    while (marks.hasRemaining()) {
      marks.putInt(MARK);
    }
    return new String(marks.array(), StandardCharsets.ISO_8859_1);
  }

  /** Returns the bytes of a file as characters; empty if the file no longer exists. */
  private static String latin(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
