/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests one training step on a partition. */
class PartitionStepTest {
  private static final int DIM = 8;
  private static final int ROWS = 50_000;
  private static final Optimizer SGD = Optimizer.sgd(1);

  private final RowLayout layout =
      TestLayouts.of(DType.FLOAT32, DIM, SGD, RowAdmission.immediate());

  /** A new version copies only what the step touches and leaves the previous version unchanged. */
  @ParameterizedTest
  @ValueSource(longs = {0, 2 * ROWS})
  void versionCopiesOnlyTouchedBlocks(long rows) {
    RowDirectory directory = RowDirectory.of(layout, rows, 1);
    EmbeddingPartition empty = EmbeddingPartition.empty(layout, directory, 0);
    EmbeddingPartition many = step(empty, directory, LongStream.range(0, ROWS).toArray());
    assertThat(many.estimatedSize()).isGreaterThan(4L * DIM * ROWS);
    assertThat(many.updated(layout)).isBetween((long) ROWS, ROWS + 31L);
    Object before =
        new RowReader(many, layout, directory).weights(new long[] {7, ROWS + 100}, 0, 2);
    EmbeddingPartition more = step(many, directory, 7, ROWS + 100);
    assertThat(blocksOfItsOwn(more, many)).isEqualTo(2);
    assertThat(more.estimatedSize()).isBetween(many.estimatedSize(), many.estimatedSize() + 8_000);
    assertThat(more.updated(layout)).isGreaterThan(many.updated(layout));
    assertThat(weights(many, directory, 7, ROWS + 100)).isEqualTo(before);
    float[] after = weights(more, directory, 7, ROWS + 100);
    for (int i = 0; i < after.length; i++) {
      assertThat(after[i]).isEqualTo(((float[]) before)[i] - 1);
    }
    assertThat(weights(empty, directory, ROWS + 100))
        .isEqualTo(Arrays.copyOfRange((float[]) before, DIM, 2 * DIM));
  }

  /** A version that was taken is updated in place, except for blocks that others have, too. */
  @ParameterizedTest
  @ValueSource(longs = {0, 2 * ROWS})
  void takenVersionIsUpdatedInPlace(long rows) {
    RowDirectory directory = RowDirectory.of(layout, rows, 1);
    EmbeddingPartition empty = EmbeddingPartition.empty(layout, directory, 0);
    EmbeddingPartition table = step(empty, directory, 3, 7, 100);
    EmbeddingPartition first = step(table, directory, 7);
    float[] before = weights(table, directory, 3, 7, 100);
    RowBlock own = block(first, 7);
    EmbeddingPartition second =
        step(first, PreviousVersion.TAKEN, directory, gradient(7, 100, ROWS + 5));
    assertThat(block(second, 7)).isSameAs(own);
    EmbeddingPartition third = step(second, PreviousVersion.TAKEN, directory, gradient(3, 7, 100));
    assertThat(weights(table, directory, 3, 7, 100)).isEqualTo(before);
    assertThat(weights(third, directory, 3, 7, 100, ROWS + 5))
        .isEqualTo(
            weights(
                step(
                    step(step(table, directory, 7), directory, 7, 100, ROWS + 5),
                    directory,
                    3,
                    7,
                    100),
                directory,
                3,
                7,
                100,
                ROWS + 5));
    assertThat(blocksOfItsOwn(third, second)).isZero();
  }

  @Test
  void takenVersionOfATableWithAdmissionIsUpdatedInPlace() {
    assertUpdatedInPlace(RowAdmission.after(2));
    assertUpdatedInPlace(RowAdmission.filtered(2, 1000));
  }

  private static void assertUpdatedInPlace(RowAdmission admission) {
    RowLayout counted = TestLayouts.of(DType.FLOAT32, DIM, SGD, admission);
    RowDirectory directory = RowDirectory.of(counted, 0, 1);
    EmbeddingPartition version = EmbeddingPartition.empty(counted, directory, 0);
    RowBlock own = null;
    for (int step = 0; step < 4; step++) {
      PartitionStep next =
          new PartitionStep(
              version,
              counted,
              directory,
              SGD,
              BadGradients.error(),
              step == 0 ? PreviousVersion.KEPT : PreviousVersion.TAKEN,
              Long.MAX_VALUE);
      next.add(gradient(7, 100 + step));
      next.apply(step);
      version = next.done();
      assertThat(version.rows().size()).isEqualTo(step == 0 ? 0 : 1);
      if (step > 1) {
        assertThat(version.block(0)).isSameAs(own);
      }
      own = step == 0 ? null : version.block(0);
    }
  }

  /** Any order of taking and keeping versions gives the same bits, and changes no kept version. */
  @ParameterizedTest
  @ValueSource(longs = {0, 200})
  void takenVersionsHaveTheSameBits(long rows) {
    RowDirectory directory = RowDirectory.of(layout, rows, 1);
    for (int seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      EmbeddingPartition kept = EmbeddingPartition.empty(layout, directory, 0);
      EmbeddingPartition taken = kept;
      List<EmbeddingPartition> versions = new ArrayList<>(List.of(kept));
      List<EmbeddingPartition> expected = new ArrayList<>(List.of(kept));
      for (int step = 0; step < 12; step++) {
        long[] addresses = random.longs(8, 0, 200).distinct().toArray();
        kept = step(kept, directory, addresses);
        // as a training does: it keeps the version that it began with, and takes those of its own
        boolean isKept = versions.contains(taken);
        taken =
            step(
                taken,
                isKept ? PreviousVersion.KEPT : PreviousVersion.TAKEN,
                directory,
                gradient(addresses));
        if (random.nextInt(4) == 0) {
          versions.add(taken);
          expected.add(kept);
        }
      }
      long[] all = LongStream.range(0, 200).toArray();
      assertThat(weights(taken, directory, all)).isEqualTo(weights(kept, directory, all));
      for (int i = 0; i < versions.size(); i++) {
        assertThat(weights(versions.get(i), directory, all))
            .isEqualTo(weights(expected.get(i), directory, all));
      }
    }
  }

  private RowBlock block(EmbeddingPartition partition, long address) {
    long row = partition.rows().row(address);
    return partition.block((int) (row / layout.perBlock()));
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
    return step(before, PreviousVersion.KEPT, directory, gradient(addresses));
  }

  private static ShuffleBatch gradient(long... addresses) {
    float[] ones = new float[addresses.length * DIM];
    Arrays.fill(ones, 1);
    return new ShuffleBatch(Storage.FLOAT, addresses.length, addresses, null, ones, ones.length);
  }

  private EmbeddingPartition step(
      EmbeddingPartition before,
      PreviousVersion previous,
      RowDirectory directory,
      ShuffleBatch gradients) {
    PartitionStep step =
        new PartitionStep(
            before, layout, directory, SGD, BadGradients.error(), previous, Long.MAX_VALUE);
    step.add(gradients);
    step.apply(0);
    return step.done();
  }
}
