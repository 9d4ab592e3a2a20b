/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A model for tests: the score of an example is {@code left . W right + bias}, which is to be 1.
 * The tables have different row lengths, dtypes, ids and optimizers.
 *
 * @param rows rows of the left table, and keys of the right one
 * @param examples examples in a shard's part of a mini-batch
 */
record Bilinear(int rows, int examples) implements ModelStep<long[]> {
  static final int LEFT = 3;

  /** So that the weights take more than one row of the table of parameters. */
  static final int RIGHT = 100;

  ModelSpec spec(Optimizer dense, int partitions) {
    return ModelSpec.empty()
        .withTable(
            "left",
            EmbeddingSpec.of(rows, LEFT, Optimizer.adagrad(0.1))
                .withInitializer(Initializer.uniform(-0.5, 0.5, 1)))
        .withTable(
            "right",
            EmbeddingSpec.keyed(RIGHT, Optimizer.sgd(0.01))
                .withDType(DType.BFLOAT16)
                .withInitializer(Initializer.uniform(-0.5, 0.5, 2)))
        .withDense(
            DenseSpec.of(dense)
                .with("w", Shape.of(LEFT, RIGHT), Initializer.xavierUniform(LEFT, RIGHT, 3))
                .with("bias", Shape.of(1), Initializer.constant(0.25)))
        .withPartitions(partitions);
  }

  /** Returns pairs of a left row and a right key, one after the other. */
  long[] batch(long step, int shard) {
    SplittableRandom random = new SplittableRandom(17 * step + shard);
    long[] ids = new long[2 * examples];
    for (int i = 0; i < ids.length; i += 2) {
      ids[i] = (long) (random.nextDouble() * random.nextDouble() * rows);
      ids[i + 1] = -7 * random.nextLong(rows);
    }
    return ids;
  }

  private static long[] every(long[] batch, int first) {
    long[] ids = new long[batch.length / 2];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = batch[2 * i + first];
    }
    return ids;
  }

  @Override
  public Map<String, long[]> ids(long[] batch) {
    return Map.of("left", every(batch, 0), "right", every(batch, 1));
  }

  @Override
  public Loss step(long[] batch, ModelRows model) {
    EmbeddingRows left = model.table("left");
    EmbeddingRows right = model.table("right");
    DenseParameter weights = model.dense("w");
    DenseParameter bias = model.dense("bias");
    double loss = 0;
    for (int example = 0; example < batch.length / 2; example++) {
      int l = left.slot(example) * LEFT;
      int r = right.slot(example) * RIGHT;
      float error = bias.values()[0] - 1;
      for (int i = 0; i < LEFT; i++) {
        for (int j = 0; j < RIGHT; j++) {
          error += left.values()[l + i] * weights.values()[i * RIGHT + j] * right.values()[r + j];
        }
      }
      loss += error * error / 2;
      bias.gradients()[0] += error;
      for (int i = 0; i < LEFT; i++) {
        for (int j = 0; j < RIGHT; j++) {
          float weight = weights.values()[i * RIGHT + j];
          left.gradients()[l + i] += error * weight * right.values()[r + j];
          right.gradients()[r + j] += error * weight * left.values()[l + i];
          weights.gradients()[i * RIGHT + j] +=
              error * left.values()[l + i] * right.values()[r + j];
        }
      }
    }
    return new Loss(loss, batch.length / 2);
  }
}
