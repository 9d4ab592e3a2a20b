/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that rows are copied to where a shard requested them. */
class RowReaderTest {
  private static final Optimizer SGD = Optimizer.sgd(1);
  private static final int STEPS = 12;

  /**
   * Rows of tables with one or many rows a block, in slabs, in blocks of their own, and not
   * written; requests of many neighbors, of few rows far from each other, and of rows that are not
   * there. Rows that are read one at a time are what is expected.
   */
  @ParameterizedTest
  @CsvSource({
    "FLOAT32, 64, 900, 900",
    "FLOAT32, 16, 4000, 4000",
    "FLOAT32, 16, 4000, 40",
    "FLOAT32, 16, 300000, 300",
    "FLOAT32, 3, 2000, 1500",
    "BFLOAT16, 16, 2000, 1500",
    "FLOAT32, 64, 0, 200",
    "FLOAT32, 16, 0, 3000",
    "FLOAT16, 16, 0, 100"
  })
  void rowsAreCopiedToTheirPositions(DType dtype, int dim, long rows, int updates) {
    RowLayout layout = layout(dtype, dim);
    RowDirectory directory = RowDirectory.of(layout, rows, 1);
    SplittableRandom random = new SplittableRandom(dim + rows);
    long bound = rows == 0 ? 5000 : rows;
    EmbeddingPartition version = EmbeddingPartition.empty(layout, directory, 0);
    for (int step = 0; step < STEPS; step++) {
      long[] updated = addresses(random, updates / 4, bound / 2);
      version = step(version, layout, directory, step, updated);
      for (int count : new int[] {0, 1, 17, 60, 900}) {
        assertCopied(version, layout, directory, addresses(random, count, bound), random);
      }
      assertCopied(version, layout, directory, LongStream.range(0, 700).toArray(), random);
    }
  }

  private static long[] addresses(SplittableRandom random, int count, long bound) {
    return random.longs(count, 0, bound).distinct().sorted().toArray();
  }

  private static RowLayout layout(DType dtype, int dim) {
    return new RowLayout(
        dtype,
        dim,
        SGD.slots(),
        DType.FLOAT32,
        Initializer.uniform(-1, 1, 3),
        WeightRounding.NEAREST,
        RowUsage.NOTHING,
        RowAdmission.immediate());
  }

  private static EmbeddingPartition step(
      EmbeddingPartition before,
      RowLayout layout,
      RowDirectory directory,
      long number,
      long[] addresses) {
    PartitionStep step =
        new PartitionStep(
            before, layout, directory, SGD, BadGradients.error(), PreviousVersion.TAKEN);
    float[] gradients = new float[addresses.length * layout.dim()];
    Arrays.fill(gradients, 0.25f);
    step.add(
        new ShuffleBatch(
            Storage.FLOAT, addresses.length, addresses, null, gradients, gradients.length));
    step.apply(number);
    return step.done();
  }

  private static void assertCopied(
      EmbeddingPartition version,
      RowLayout layout,
      RowDirectory directory,
      long[] addresses,
      SplittableRandom random) {
    int dim = layout.dim();
    int[] positions = shuffled(addresses.length, random);
    float[] expected = new float[addresses.length * dim];
    for (int i = 0; i < addresses.length; i++) {
      Object one = new RowReader(version, layout, directory).weights(addresses, i, i + 1);
      if (one instanceof float[] floats) {
        System.arraycopy(floats, 0, expected, positions[i] * dim, dim);
      } else {
        HalfFloatRows.widen(layout.dtype(), (short[]) one, 0, expected, positions[i] * dim, dim);
      }
    }
    float[] rows = new float[expected.length];
    RowReader reader = new RowReader(version, layout, directory);
    reader.copy(new RowRequest(0, addresses, positions), rows);
    assertThat(rows).isEqualTo(expected);
  }

  private static int[] shuffled(int count, SplittableRandom random) {
    int[] positions = IntStream.range(0, count).toArray();
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int moved = positions[i];
      positions[i] = positions[other];
      positions[other] = moved;
    }
    return positions;
  }
}
