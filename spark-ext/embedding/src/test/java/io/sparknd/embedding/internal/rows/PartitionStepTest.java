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
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests one training step on a partition. */
class PartitionStepTest {
  private static final int DIM = 8;
  private static final int ROWS = 50_000;
  private static final Optimizer SGD = Optimizer.sgd(1);

  private final RowLayout layout =
      new RowLayout(
          DType.FLOAT32,
          DIM,
          SGD.slots(),
          DType.FLOAT32,
          Initializer.uniform(-1, 1, 3),
          WeightRounding.NEAREST,
          RowUsage.NOTHING,
          RowAdmission.immediate());

  /** A new version copies only what the step touches and leaves the previous version unchanged. */
  @ParameterizedTest
  @ValueSource(longs = {0, 2 * ROWS})
  void versionCopiesOnlyTouchedBlocks(long rows) {
    RowDirectory directory = RowDirectory.of(layout, rows, 1);
    EmbeddingPartition empty = EmbeddingPartition.empty(layout, directory, 0);
    EmbeddingPartition many = step(empty, directory, LongStream.range(0, ROWS).toArray());
    assertThat(many.estimatedSize()).isGreaterThan(4L * DIM * ROWS);
    assertThat(many.written(layout)).isBetween((long) ROWS, ROWS + 31L);
    Object before =
        new RowReader(many, layout, directory).weights(new long[] {7, ROWS + 100}, 0, 2);
    EmbeddingPartition more = step(many, directory, 7, ROWS + 100);
    assertThat(blocksOfItsOwn(more, many)).isEqualTo(2);
    assertThat(more.estimatedSize()).isBetween(many.estimatedSize(), many.estimatedSize() + 8_000);
    assertThat(more.written(layout)).isGreaterThan(many.written(layout));
    assertThat(weights(many, directory, 7, ROWS + 100)).isEqualTo(before);
    float[] after = weights(more, directory, 7, ROWS + 100);
    for (int i = 0; i < after.length; i++) {
      assertThat(after[i]).isEqualTo(((float[]) before)[i] - 1);
    }
    assertThat(weights(empty, directory, ROWS + 100))
        .isEqualTo(Arrays.copyOfRange((float[]) before, DIM, 2 * DIM));
  }

  @SuppressWarnings("ReferenceEquality") // shared blocks are the same object
  private static long blocksOfItsOwn(EmbeddingPartition next, EmbeddingPartition before) {
    return IntStream.range(0, next.blocks())
        .filter(i -> next.block(i) != (i < before.blocks() ? before.block(i) : null))
        .count();
  }

  private float[] weights(EmbeddingPartition partition, RowDirectory directory, long... addresses) {
    RowReader reader = new RowReader(partition, layout, directory);
    return (float[]) reader.weights(addresses, 0, addresses.length);
  }

  /** Returns the version after a step with a gradient of ones for each row. */
  private EmbeddingPartition step(
      EmbeddingPartition before, RowDirectory directory, long... addresses) {
    float[] ones = new float[addresses.length * DIM];
    Arrays.fill(ones, 1);
    PartitionStep step = new PartitionStep(before, layout, directory, SGD, BadGradients.error());
    step.add(new ShuffleBatch(Storage.FLOAT, addresses.length, addresses, null, ones, ones.length));
    step.apply(0);
    return step.done();
  }
}
