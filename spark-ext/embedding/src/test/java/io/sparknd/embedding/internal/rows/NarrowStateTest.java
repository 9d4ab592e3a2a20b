/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerRule;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.RowRule;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Storage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests optimizer state stored in bfloat16. */
class NarrowStateTest {
  private static final int DIM = 16;
  private static final int ROWS = 1000;

  private static EmbeddingPartition trained(Optimizer optimizer, DType state, int steps, float by) {
    RowLayout layout = layout(optimizer, state);
    RowDirectory directory = RowDirectory.of(layout, ROWS, 1);
    EmbeddingPartition empty = EmbeddingPartition.empty(layout, directory, 0);
    PartitionStep step =
        new PartitionStep(
            empty,
            layout,
            directory,
            optimizer,
            BadGradients.error(),
            PreviousVersion.KEPT,
            Long.MAX_VALUE);
    float[] gradients = new float[ROWS * DIM];
    Arrays.fill(gradients, by);
    long[] rows = LongStream.range(0, ROWS).toArray();
    for (int i = 0; i < steps; i++) {
      step.add(new ShuffleBatch(Storage.FLOAT, ROWS, rows, null, gradients, gradients.length));
      step.apply(i);
    }
    return step.done();
  }

  private static RowLayout layout(Optimizer optimizer, DType state) {
    return new RowLayout(
        DType.FLOAT32,
        DIM,
        optimizer.slots(),
        state,
        Initializer.zeros(),
        WeightRounding.STOCHASTIC,
        RowUsage.NOTHING,
        RowAdmission.immediate());
  }

  @Test
  void stateTakesHalfTheMemory() {
    long wide = trained(Optimizer.adam(0.1), DType.FLOAT32, 1, 1).blockBytes();
    long narrow = trained(Optimizer.adam(0.1), DType.BFLOAT16, 1, 1).blockBytes();
    assertThat(wide - narrow).isEqualTo(2L * 2 * 1000 * DIM); // two slots, two bytes less
  }

  /**
   * To nearest, an accumulator of 1 would not grow by 0.001, a quarter of the distance to the next.
   */
  @Test
  void smallIncrementsAreNotLost() {
    Optimizer adagrad = Optimizer.adagrad(0.1).withInitialAccumulator(1);
    EmbeddingPartition partition = trained(adagrad, DType.BFLOAT16, 200, (float) Math.sqrt(0.001));
    double sum = 0;
    int count = 0;
    for (int block = 0; block < partition.blocks(); block++) {
      for (short half : (short[]) state(partition, block)[0]) {
        sum += HalfFloats.fromBfloat16(half);
        count++;
      }
    }
    assertThat(count).isEqualTo(ROWS * DIM);
    assertThat(sum / count).isCloseTo(1.2, within(0.002));
  }

  private static Object[] state(EmbeddingPartition partition, int block) {
    return Objects.requireNonNull(partition.block(block)).state();
  }

  /** A rule that counts, in slots of three kinds. */
  private record Counts() implements OptimizerRule {
    @Override
    public String name() {
      return "counts";
    }

    @Override
    public List<OptimizerSlot> slots() {
      return List.of(
          OptimizerSlot.element("rounded", 256),
          OptimizerSlot.element("exact", 256).inFloat32(),
          OptimizerSlot.row("row", 256));
    }

    @Override
    public RowRule at(long step, double rate) {
      return (weights, state, gradient) -> {
        for (float[] slot : state) {
          for (int i = 0; i < slot.length; i++) {
            slot[i]++;
          }
        }
      };
    }
  }

  @Test
  void slotsOfRowsAndOfFloat32AreExact() {
    Optimizer counts = Optimizer.custom(1, new Counts());
    EmbeddingPartition partition = trained(counts, DType.BFLOAT16, 5, 1);
    for (int block = 0; block < partition.blocks(); block++) {
      Object[] state = state(partition, block);
      assertThat(state[0]).isInstanceOf(short[].class);
      assertThat((float[]) state[1]).containsOnly(261);
      assertThat((float[]) state[2]).hasSize(layout(counts, DType.BFLOAT16).perBlock());
      assertThat((float[]) state[2]).containsOnly(261);
    }
  }

  @Test
  void fileKeepsTheBitsOfEverySlot() throws IOException {
    for (DType state : List.of(DType.FLOAT32, DType.BFLOAT16)) {
      EmbeddingPartition partition = trained(Optimizer.custom(1, new Counts()), state, 3, 1);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      partition.writeTo(bytes);
      EmbeddingPartition read =
          EmbeddingPartition.readFrom(new ByteArrayInputStream(bytes.toByteArray()));
      assertThat(read.blockBytes()).isEqualTo(partition.blockBytes());
      for (int block = 0; block < partition.blocks(); block++) {
        assertThat(Arrays.deepEquals(state(read, block), state(partition, block))).isTrue();
        assertThat(state(read, block).getClass()).isEqualTo(state(partition, block).getClass());
      }
    }
  }
}
