/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.HalfRounding;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Calls on rows or elements of a matrix, with indices that repeat and are often out of bounds. */
record TrainingCalls(DType dtype, Shape shape, Random random) {
  private static final int MAX = 40;

  ScatterCall scatter() {
    List<Reduction> defined =
        Arrays.stream(Reduction.values()).filter(each -> each.isDefinedFor(dtype)).toList();
    Scatter how =
        new Scatter(
            pick(defined),
            policy(),
            Duplicates.IN_ORDER,
            pick(List.of(IncludeSelf.values())),
            pick(List.of(HalfRounding.values())));
    Tensor indices = indices();
    Shape slice = shape.from((int) indices.shape().dim(1));
    Shape updates = Shape.of(indices.shape().dim(0)).concat(slice);
    return new ScatterCall(
        how, new Indexing.Tuples(0), indices, RandomCalls.tensor(dtype, updates, random));
  }

  GatherCall gather() {
    return new GatherCall(new Gather(policy()), new Indexing.Tuples(0), indices());
  }

  private IndexPolicy policy() {
    return new IndexPolicy(
        pick(List.of(BadIndices.IGNORE, BadIndices.CLIP)),
        pick(List.of(NegativeIndices.WRAP, NegativeIndices.OUT_OF_BOUNDS)));
  }

  private Tensor indices() {
    int depth = 1 + random.nextInt(2);
    int count = random.nextInt(MAX);
    long[] values = new long[count * depth];
    for (int i = 0; i < values.length; i++) {
      int size = (int) shape.dim(i % depth);
      values[i] =
          random.nextInt(8) == 0 ? random.nextInt(4 * size) - 2 * size : random.nextInt(size);
    }
    return Tensor.of(Shape.of(count, depth), values);
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
