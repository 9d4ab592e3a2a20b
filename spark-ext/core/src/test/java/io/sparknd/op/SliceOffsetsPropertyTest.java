/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.Refusal;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Tests slice offsets against the oracle, for ranks 0 to 8, all kinds of indexing and all policies.
 */
class SliceOffsetsPropertyTest {
  private static final List<DType> INTEGERS =
      List.of(DType.INT8, DType.INT32, DType.INT64, DType.UINT8, DType.UINT64);

  /** The input of one trial. */
  record Question(Shape tensor, Indexing where, Tensor indices, IndexPolicy policy) {}

  @Property(tries = 3000)
  void offsetsMatchTheOracle(@ForAll("questions") Question question) {
    IndexPlan plan = question.where().plan(question.tensor(), question.indices().shape());
    SliceOffsets offsets = SliceOffsets.of(plan, question.indices(), question.policy());
    try {
      long[] expected =
          NaiveEngine.offsets(
              question.tensor(), question.where(), question.indices(), question.policy());
      assertThat(offsets.resolveAll()).isEqualTo(expected);
      offsets.check();
    } catch (Refusal refusal) {
      String pattern = Pattern.quote(refusal.getMessage()) + " is (out of bounds|negative) for .*";
      assertThatThrownBy(offsets::resolveAll).hasMessageMatching(pattern);
      assertThatThrownBy(offsets::check).hasMessageMatching(pattern);
    }
  }

  @Provide
  Arbitrary<Question> questions() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 8), policies(), Arbitraries.longs())
        .as((rank, policy, seed) -> question(rank, policy, new Random(seed)));
  }

  private static Arbitrary<IndexPolicy> policies() {
    Arbitrary<BadIndices> bad =
        Arbitraries.of(BadIndices.ERROR, BadIndices.IGNORE, BadIndices.CLIP, BadIndices.fill(1));
    return Combinators.combine(bad, Arbitraries.of(NegativeIndices.class)).as(IndexPolicy::new);
  }

  private static Question question(int rank, IndexPolicy policy, Random random) {
    long[] dims = dims(rank, random);
    Shape tensor = Shape.of(dims);
    int kind = rank == 0 ? 0 : random.nextInt(3);
    if (kind == 0) {
      return tuples(tensor, policy, random);
    }
    int axis = random.nextInt(2 * rank) - rank;
    if (kind == 1) {
      return new Question(
          tensor,
          new Indexing.Axis(axis),
          indices(dims(random.nextInt(3), random), random),
          policy);
    }
    long[] part = dims.clone();
    for (int d = 0; d < rank; d++) {
      part[d] = random.nextInt((int) dims[d] + 1);
    }
    part[Math.floorMod(axis, rank)] = random.nextInt(5);
    return new Question(tensor, new Indexing.Elements(axis), indices(part, random), policy);
  }

  private static Question tuples(Shape tensor, IndexPolicy policy, Random random) {
    int batchDims = random.nextBoolean() ? 0 : random.nextInt(tensor.rank() + 1);
    int depth = random.nextInt(tensor.rank() - batchDims + 1);
    Shape slots = tensor.first(batchDims).concat(Shape.of(dims(random.nextInt(3), random)));
    Tensor indices = indices(slots.concat(Shape.of(depth)).dims(), random);
    return new Question(tensor, new Indexing.Tuples(batchDims), indices, policy);
  }

  private static long[] dims(int rank, Random random) {
    int[] sizes = {1, 1, 2, 2, 3, random.nextInt(4) == 0 ? 0 : 2};
    return IntStream.range(0, rank).mapToLong(d -> sizes[random.nextInt(sizes.length)]).toArray();
  }

  /**
   * Returns index values near the bounds. Most are in bounds, so that often all values of a tensor
   * are.
   */
  private static Tensor indices(long[] dims, Random random) {
    DType dtype = INTEGERS.get(random.nextInt(INTEGERS.size()));
    int badInTen = random.nextInt(3);
    Tensor indices = Tensor.zeros(dtype, Shape.of(dims));
    for (int i = 0; i < indices.elements(); i++) {
      int value = random.nextInt(10) < badInTen ? random.nextInt(9) - 4 : random.nextInt(2);
      put(indices.array(), i, value);
    }
    return indices;
  }

  private static void put(Object array, int i, int value) {
    if (array instanceof byte[] bytes) {
      bytes[i] = (byte) value;
    } else if (array instanceof int[] ints) {
      ints[i] = value;
    } else {
      ((long[]) array)[i] = value == -4 ? Long.MIN_VALUE : value;
    }
  }
}
