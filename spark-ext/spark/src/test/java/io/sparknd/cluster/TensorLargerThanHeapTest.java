/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a tensor of 2 GiB on two executors of 1 GiB, with every block written twice. */
@Tag("slow")
class TensorLargerThanHeapTest {
  private static final long ROWS = 8L << 20;
  private static final int WIDTH = 64;

  /** Large blocks, so that an update of one row per block writes the whole tensor. */
  private static final Partitioning CUT = Partitioning.AUTO.withBlockBytes(32 << 10);

  /** Rows per block. */
  private static final int STEP = CUT.blockBytes() / (WIDTH * Float.BYTES);

  private static final int TOUCHED = (int) (ROWS / STEP);

  @Test
  void everyBlockIsWrittenTwice() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(LocalCluster.OPTIMIZED)) {
      SparkSession spark = cluster.session();
      DistributedTensor zeros =
          DistributedTensor.zeros(spark, DType.FLOAT32, Shape.of(ROWS, WIDTH), CUT);
      DistributedTensor once = zeros.scatter(call(1, 0));
      DistributedTensor twice = once.scatter(call(100, 1));
      assertThat(cluster.bytesOnDisk()).isGreaterThan(2L << 30);
      check(once, new float[] {1, 0, 0});
      check(twice, new float[] {1, 100, 0});
    }
  }

  /** Returns a call that adds {@code factor * (block + 1)} to one row of every block. */
  private static ScatterCall call(float factor, int rowOfBlock) {
    float[] values = new float[TOUCHED * WIDTH];
    for (int block = 0; block < TOUCHED; block++) {
      Arrays.fill(values, block * WIDTH, (block + 1) * WIDTH, factor * (block + 1));
    }
    Tensor updates = Tensor.wrap(DType.FLOAT32, Shape.of(TOUCHED, WIDTH), values);
    return ScatterCall.of(Scatter.add(), rows(0, TOUCHED, rowOfBlock), updates);
  }

  private static Tensor rows(int firstBlock, int blocks, int rowOfBlock) {
    long[] rows =
        LongStream.range(firstBlock, firstBlock + blocks)
            .map(block -> block * STEP + rowOfBlock)
            .toArray();
    return Tensor.wrap(DType.INT64, Shape.of(blocks, 1), rows);
  }

  /**
   * Checks the first rows of the last blocks, which hold {@code factors} times the block number
   * plus one.
   */
  private static void check(DistributedTensor tensor, float[] factors) {
    int blocks = 1000;
    for (int row = 0; row < factors.length; row++) {
      float[] expected = new float[blocks * WIDTH];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = factors[row] * (TOUCHED - blocks + i / WIDTH + 1);
      }
      Tensor indices = rows(TOUCHED - blocks, blocks, row);
      TensorAssert.assertSameBits(
          tensor.gather(GatherCall.of(Gather.strict(), indices)).collect(),
          Tensor.wrap(DType.FLOAT32, Shape.of(blocks, WIDTH), expected));
    }
  }
}
