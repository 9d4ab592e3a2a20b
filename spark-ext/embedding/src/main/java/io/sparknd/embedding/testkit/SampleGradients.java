/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Gradients that depend on step and row alone, in (-1, 1), an eighth of them 0. A step touches some
 * rows; every fifth row is never touched. Implements a model whose mini-batch is its step.
 */
record SampleGradients(int rows, int dim) implements StepFunction<Long> {
  /** Returns the rows that have a gradient, ascending. */
  @Override
  public long[] ids(Long step) {
    return LongStream.range(0, rows)
        .filter(row -> row % 5 != 4 && random(step, row).nextInt(3) > 0)
        .toArray();
  }

  /** Returns the gradient of a row, {@code [dim]}. */
  float[] of(long step, long row) {
    SplittableRandom random = random(step, row + rows);
    float[] gradient = new float[dim];
    for (int i = 0; i < dim; i++) {
      gradient[i] = random.nextInt(8) == 0 ? 0 : (float) (2 * random.nextDouble() - 1);
    }
    return gradient;
  }

  private static SplittableRandom random(long step, long row) {
    return new SplittableRandom(step * 1_000_003 + row).split();
  }

  @Override
  public Loss step(Long step, EmbeddingRows wanted) {
    for (int slot = 0; slot < wanted.count(); slot++) {
      System.arraycopy(of(step, wanted.id(slot)), 0, wanted.gradients(), slot * dim, dim);
    }
    return Loss.NONE;
  }
}
