/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that rows are copied to where a shard requested them. */
class RowReaderTest {
  private static final Optimizer SGD = Optimizer.sgd(1);
  private static final int STEPS = 12;
  private static final float GRADIENT = 0.25f;

  /**
   * Rows of tables with one or many rows a block, in slabs, in blocks of their own, and not
   * written; requests of many neighbors, of few rows far from each other, and of rows that are not
   * there. Expected: the same rows read one at a time, and the updates of float32 rows.
   */
  @ParameterizedTest
  @CsvSource({
    "FLOAT32, 64, 900, 900",
    "FLOAT32, 64, 30000, 20000",
    "FLOAT32, 16, 4000, 4000",
    "FLOAT32, 16, 4000, 40",
    "FLOAT32, 16, 300000, 300",
    "FLOAT32, 16, 40000, 40000",
    "FLOAT32, 3, 2000, 1500",
    "BFLOAT16, 16, 20000, 9000",
    "FLOAT32, 64, 0, 200",
    "FLOAT32, 16, 0, 3000",
    "FLOAT16, 16, 0, 100"
  })
  void rowsAreCopiedToTheirPositions(DType dtype, int dim, long rows, int updates) {
    RowLayout layout = TestLayouts.of(dtype, dim, SGD, RowAdmission.immediate());
    RowDirectory directory = RowDirectory.of(layout, rows, 1);
    SplittableRandom random = new SplittableRandom(dim + rows);
    long bound = rows == 0 ? 5000 : rows;
    EmbeddingPartition empty = EmbeddingPartition.empty(layout, directory, 0);
    EmbeddingPartition version = empty;
    int[] updated = new int[(int) bound];
    for (int step = 0; step < STEPS; step++) {
      long[] addresses = sorted(random, updates / 4, bound / 2);
      version = step(version, layout, directory, step, addresses);
      Arrays.stream(addresses).forEach(address -> updated[(int) address]++);
      for (int count : new int[] {0, 1, 17, 60, 900}) {
        long[] requested = sorted(random, count, bound);
        assertCopied(
            version, layout, directory, rows == 0 ? shuffled(requested, random) : requested);
      }
      assertCopied(version, layout, directory, LongStream.range(0, 700).toArray());
    }
    if (dtype == DType.FLOAT32) {
      assertUpdated(empty, version, layout, directory, updated);
    }
  }

  private static long[] sorted(SplittableRandom random, int count, long bound) {
    return random.longs(count, 0, bound).distinct().sorted().toArray();
  }

  private static EmbeddingPartition step(
      EmbeddingPartition before,
      RowLayout layout,
      RowDirectory directory,
      long number,
      long[] addresses) {
    PartitionStep step =
        new PartitionStep(
            before,
            layout,
            directory,
            SGD,
            BadGradients.error(),
            PreviousVersion.TAKEN,
            Long.MAX_VALUE);
    float[] gradients = new float[addresses.length * layout.dim()];
    Arrays.fill(gradients, GRADIENT);
    step.add(
        new ShuffleBatch(
            Storage.FLOAT, addresses.length, addresses, null, gradients, gradients.length));
    step.apply(number);
    return step.done();
  }

  private static void assertUpdated(
      EmbeddingPartition empty,
      EmbeddingPartition version,
      RowLayout layout,
      RowDirectory directory,
      int[] updates) {
    int dim = layout.dim();
    long[] all = LongStream.range(0, updates.length).toArray();
    float[] expected = new float[all.length * dim];
    int[] positions = IntStream.range(0, all.length).toArray();
    for (int row = 0; row < all.length; row++) {
      Object initial = new RowReader(empty, layout, directory).weights(all, row, row + 1);
      for (int i = 0; i < dim; i++) {
        float weight = ((float[]) initial)[i];
        for (int step = 0; step < updates[row]; step++) {
          weight -= GRADIENT;
        }
        expected[row * dim + i] = weight;
      }
    }
    float[] rows = new float[expected.length];
    new RowReader(version, layout, directory).copy(new RowRequest(0, all, positions), rows);
    assertThat(rows).isEqualTo(expected);
  }

  private static void assertCopied(
      EmbeddingPartition version, RowLayout layout, RowDirectory directory, long[] addresses) {
    int dim = layout.dim();
    SplittableRandom random = new SplittableRandom(addresses.length);
    long[] order = shuffled(LongStream.range(0, addresses.length).toArray(), random);
    int[] positions = Arrays.stream(order).mapToInt(Math::toIntExact).toArray();
    float[] expected = new float[addresses.length * dim];
    float[] inOrder = new float[addresses.length * dim];
    for (int i = 0; i < addresses.length; i++) {
      Object one = new RowReader(version, layout, directory).weights(addresses, i, i + 1);
      widen(layout, one, 1, inOrder, i * dim);
      System.arraycopy(inOrder, i * dim, expected, positions[i] * dim, dim);
    }
    float[] rows = new float[expected.length];
    RowReader reader = new RowReader(version, layout, directory);
    reader.copy(new RowRequest(0, addresses, positions), rows);
    assertThat(rows).isEqualTo(expected);
    int from = Math.min(5, addresses.length);
    widen(
        layout,
        reader.weights(addresses, from, addresses.length),
        addresses.length - from,
        rows,
        from * dim);
    assertThat(Arrays.copyOfRange(rows, from * dim, rows.length))
        .isEqualTo(Arrays.copyOfRange(inOrder, from * dim, rows.length));
  }

  private static void widen(RowLayout layout, Object weights, int count, float[] to, int at) {
    if (weights instanceof float[] floats) {
      System.arraycopy(floats, 0, to, at, count * layout.dim());
    } else {
      HalfRows.widen(layout.dtype(), (short[]) weights, 0, to, at, count * layout.dim());
    }
  }

  private static long[] shuffled(long[] values, SplittableRandom random) {
    List<Long> shuffled = new ArrayList<>(Arrays.stream(values).boxed().toList());
    Collections.shuffle(shuffled, new Random(random.nextLong()));
    return shuffled.stream().mapToLong(Long::longValue).toArray();
  }
}
