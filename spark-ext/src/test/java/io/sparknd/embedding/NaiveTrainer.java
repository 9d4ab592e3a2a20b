/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.RowUpdate;
import io.sparknd.embedding.optimizer.Slot;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** What a training should make: whole arrays, one thread, no partitions. */
final class NaiveTrainer {
  private final EmbeddingSpec spec;
  private final int rows;
  private final int dim;
  private final float[] weights;
  private final float[][] state;
  private long steps;
  final List<Double> losses = new ArrayList<>();

  NaiveTrainer(EmbeddingSpec spec) {
    this.spec = spec;
    this.rows = (int) spec.rows();
    this.dim = spec.dim();
    this.weights = new float[rows * dim];
    for (int row = 0; row < rows; row++) {
      spec.initializer().fill(row, weights, row * dim, dim);
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] = rounded(weights[i]);
    }
    List<Slot> slots = spec.optimizer().slots();
    this.state = new float[slots.size()][];
    for (int i = 0; i < state.length; i++) {
      int width = slots.get(i).width() == Slot.Width.ROW ? 1 : dim;
      state[i] = new float[rows * width];
      Arrays.fill(state[i], slots.get(i).initial());
    }
  }

  private float rounded(float value) {
    return switch (spec.dtype()) {
      case FLOAT16 -> HalfFloats.fromFloat16(HalfFloats.toFloat16(value));
      case BFLOAT16 -> HalfFloats.fromBfloat16(HalfFloats.toBfloat16(value));
      default -> value;
    };
  }

  void train(Pulls model, int shards, int count, int perJob) {
    long end = steps + count;
    while (steps < end) {
      float[] seen = weights.clone();
      int some = (int) Math.min(perJob, end - steps);
      for (int i = 0; i < some; i++) {
        step(model, shards, seen);
      }
    }
  }

  private void step(Pulls model, int shards, float[] seen) {
    TreeMap<Long, float[]> sums = new TreeMap<>();
    double loss = 0;
    for (int shard = 0; shard < shards; shard++) {
      long[] batch = model.batch(steps, shard);
      EmbeddingRows got =
          EmbeddingRows.of(
              model.ids(batch),
              dim,
              id -> Arrays.copyOfRange(seen, (int) id * dim, (int) (id + 1) * dim));
      loss += model.step(batch, got).sum();
      for (int slot = 0; slot < got.count(); slot++) {
        float[] own = Arrays.copyOfRange(got.gradients(), slot * dim, (slot + 1) * dim);
        sums.merge(got.id(slot), own, NaiveTrainer::sum);
      }
    }
    losses.add(loss);
    apply(spec.optimizer(), sums);
  }

  private static float[] sum(float[] one, float[] other) {
    float[] sum = new float[one.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = one[i] + other[i];
    }
    return sum;
  }

  /** One step of the optimizer, with a sum for each row. */
  void apply(Optimizer optimizer, TreeMap<Long, float[]> sums) {
    RowUpdate update = optimizer.update(steps++, dim);
    sums.forEach(
        (id, gradient) -> {
          int row = (int) (long) id;
          update.apply(weights, row * dim, state, row, gradient, 0);
          for (int i = row * dim; i < (row + 1) * dim; i++) {
            weights[i] = rounded(weights[i]);
          }
        });
  }

  /** The weights in the dtype of the table. */
  Tensor weights() {
    Shape shape = Shape.of(rows, dim);
    if (spec.dtype() == DType.FLOAT32) {
      return Tensor.wrap(DType.FLOAT32, shape, weights.clone());
    }
    short[] halves = new short[weights.length];
    for (int i = 0; i < halves.length; i++) {
      halves[i] =
          spec.dtype() == DType.FLOAT16
              ? HalfFloats.toFloat16(weights[i])
              : HalfFloats.toBfloat16(weights[i]);
    }
    return Tensor.wrap(spec.dtype(), shape, halves);
  }
}
