/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static io.sparknd.oracle.TensorAssert.assertSameBits;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a partition that is too large for one task result. */
@Tag("slow")
class LargePartitionTest {
  private static final int ROWS = 300_001;
  private static final int WIDTH = 64;
  private static final Tensor DATA =
      Tensor.wrap(
          DType.INT64,
          Shape.of(ROWS, WIDTH),
          new SplittableRandom(1).longs((long) ROWS * WIDTH).toArray());

  private final SparkSession spark = LocalSpark.session();

  private DistributedTensor tensor() {
    return DistributedTensor.of(spark, DATA, Partitioning.of(1));
  }

  @Test
  void largePartitionIsCollected() {
    assertSameBits(tensor().collect(), DATA);
  }

  @Test
  void largePartitionIsWrittenInTensorOrder(@TempDir Path folder) {
    Path file = folder.resolve("large.npy");
    tensor().repartition(Partitioning.of(3)).toNpy(file);

    assertSameBits(Npy.read(file), DATA);
  }

  /** Of 140 MB, where 700 texts were taken for 22 KB and went to the driver by one job. */
  @Test
  void longTextsGoToTheDriverInRanges() throws IOException {
    SparkContext context = spark.sparkContext();
    String text = "x".repeat(100_000);
    context.setJobGroup("long texts", "", false);
    try (DistributedTensor texts =
        DistributedTensor.fill(
            spark, DType.STRING, Shape.of(700), text, new Partitioning(2, 1 << 10))) {
      CountingOutputStream out = new CountingOutputStream();
      texts.toArrow(out);
      assertThat(out.bytes).isBetween(70_000_000L, 70_100_000L);
      int written = jobs(context);
      assertThat(written).isGreaterThan(5);
      assertThat(texts.collect().element(699)).isEqualTo(text);
      assertThat(jobs(context)).as("not all in one").isGreaterThan(written + 2);
    } finally {
      context.clearJobGroup();
    }
  }

  /** Returns the number of jobs of the group. */
  private static int jobs(SparkContext context) {
    try {
      context.listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
    return context.statusTracker().getJobIdsForGroup("long texts").length;
  }

  private static final class CountingOutputStream extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] b, int off, int len) {
      bytes += len;
    }
  }
}
