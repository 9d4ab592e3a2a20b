/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static io.sparknd.oracle.TensorAssert.assertSameBits;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.ForkedJvm;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests more than 2 GiB of updates of one partition, which one task applies. */
@Tag("slow")
class ManyUpdatesTest {
  private static final int CELLS = 1_000_003;
  private static final long UPDATES = 205_000_000;

  /** The seed of Spark's {@code hash}. */
  private static final int SEED = 42;

  /** In a JVM that optimizes its code, where this takes a third of the time. */
  @Test
  void updatesAreAppliedInOrder() throws Exception {
    ForkedJvm run =
        ForkedJvm.runForSpark(
            List.of(
                "-Xmx2g",
                "-XX:TieredStopAtLevel=4",
                "-cp",
                System.getProperty("java.class.path"),
                ManyUpdatesTest.class.getName()));
    assertThat(run.exit()).as(run.output()).isZero();
  }

  public static void main(String[] arguments) throws Exception {
    SparkSession spark = LocalSpark.session();
    MostRead mostRead = new MostRead();
    spark.sparkContext().addSparkListener(mostRead);
    try (DistributedTensor zeros =
            DistributedTensor.zeros(spark, DType.FLOAT64, Shape.of(CELLS), Partitioning.of(1));
        DistributedTensor sums =
            zeros.scatter(Scatter.add(), updates(spark), TensorColumns.of("value", "cell"))) {
      assertSameBits(sums.collect(), expected());
    }
    spark.stop();
    assertThat(mostRead.bytes).hasValueGreaterThan(1L << 31);
  }

  /** Returns fractions, whose sums depend on the order and which codecs do not compress. */
  private static Dataset<Row> updates(SparkSession spark) {
    return spark
        .range(0, UPDATES, 1, 4)
        .selectExpr("pmod(hash(id), " + CELLS + ") AS cell", "hash(id) / 3.0D AS value");
  }

  private static Tensor expected() {
    double[] sums = new double[CELLS];
    for (long id = 0; id < UPDATES; id++) {
      int hash = Murmur3_x86_32.hashLong(id, SEED);
      sums[Math.floorMod(hash, CELLS)] += hash / 3.0;
    }
    return Tensor.wrap(DType.FLOAT64, Shape.of(CELLS), sums);
  }

  /** Records the most shuffle bytes that one task read. */
  private static final class MostRead extends SparkListener {
    private final AtomicLong bytes = new AtomicLong();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (end.taskMetrics() != null) {
        long read = end.taskMetrics().shuffleReadMetrics().totalBytesRead();
        bytes.accumulateAndGet(read, Math::max);
      }
    }
  }
}
