/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lookup;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.embedding.EmbeddingLookup;
import io.sparknd.embedding.Lists;
import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.oracle.NaiveLookup;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Tests lookups of every kind against the oracle, locally and distributed over many partition
 * counts.
 */
class LookupPropertyTest {
  private static final int LOCAL_TRIES = 2000;
  private static final int TRIES = 3;
  private static final int MANY = 10;

  private static final List<DType> DTYPES =
      List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);
  private static final List<BadIndices> BAD =
      List.of(BadIndices.ERROR, BadIndices.IGNORE, BadIndices.CLIP, BadIndices.fill(1.5));

  /** The input of one trial, which depends only on a seed. */
  private record Try(Tensor params, Lookup how, Lists lists) {
    static Try of(long seed) {
      Random random = new Random(seed);
      DType dtype = DTYPES.get(random.nextInt(DTYPES.size()));
      Tensor params = params(dtype, random);
      return new Try(params, how(random), lists(params.shape().dim(0), random));
    }

    /**
     * Returns a random tensor. Half of the tensors have no NaNs, because NaNs hide other errors.
     */
    private static Tensor params(DType dtype, Random random) {
      Shape shape = RandomCalls.shape(1 + random.nextInt(3), random);
      Tensor any = RandomCalls.tensor(dtype, shape, random);
      if (random.nextBoolean()) {
        return any;
      }
      int[] small = random.ints(shape.elements(), -100, 100).toArray();
      Object array = dtype.storage().allocate(small.length);
      for (int i = 0; i < small.length; i++) {
        Object one = Tensor.fill(dtype, Shape.of(1), small[i] / 7.0).array();
        System.arraycopy(one, 0, array, i, 1);
      }
      return Tensor.wrap(dtype, shape, array);
    }

    private static Lookup how(Random random) {
      Combiner combiner = Combiner.values()[random.nextInt(Combiner.values().length)];
      NegativeIndices negative =
          NegativeIndices.values()[random.nextInt(NegativeIndices.values().length)];
      Lookup how =
          Lookup.of(combiner)
              .withIndices(new IndexPolicy(BAD.get(random.nextInt(BAD.size())), negative));
      return random.nextBoolean() ? how : how.withMaxNorm(random.nextDouble() * 20);
    }

    private static Lists lists(long rows, Random random) {
      boolean strays = random.nextBoolean();
      List<long[]> ids = new ArrayList<>();
      List<double[]> weights = new ArrayList<>();
      int count = random.nextInt(30);
      for (int list = 0; list < count; list++) {
        int length = rows == 0 && !strays ? 0 : random.nextInt(7);
        long[] some = new long[length];
        for (int i = 0; i < length; i++) {
          some[i] = strays && random.nextInt(9) == 0 ? stray(rows, random) : in(rows, random);
        }
        ids.add(some);
        weights.add(random.doubles(length, -2, 3).map(Math::ceil).map(w -> w / 1.3).toArray());
      }
      return new Lists(ids, random.nextBoolean() ? weights : null);
    }

    private static long in(long rows, Random random) {
      return rows == 0 ? 0 : random.nextLong(rows);
    }

    private static long stray(long rows, Random random) {
      return switch (random.nextInt(4)) {
        case 0 -> Long.MIN_VALUE;
        case 1 -> 1L << 40;
        case 2 -> rows;
        default -> -1 - in(rows, random);
      };
    }

    /** Whether the oracle checks ids. If rows have no elements, it checks none. */
    boolean looks() {
      return params.shape().from(1).elements() > 0;
    }

    /** Returns the expected result; empty if an id is rejected. */
    Optional<Tensor> expected() {
      try {
        return Optional.of(new NaiveLookup(params, how).run(lists.ids(), lists.weights()));
      } catch (NaiveLookup.Refused e) {
        return Optional.empty();
      }
    }

    /** Returns the first id that is rejected. */
    NaiveLookup.Refused refused() {
      try {
        new NaiveLookup(params, how).run(lists.ids(), lists.weights());
      } catch (NaiveLookup.Refused e) {
        return e;
      }
      throw new AssertionError("no id is rejected");
    }

    Tensor byRows(int partitions, int rowPartitions) {
      Partitioning cut = Partitioning.of(partitions).withBlockBytes(partitions % 2 == 0 ? 8 : 256);
      Shape result = Shape.of(lists.ids().size()).concat(params.shape().from(1));
      try (DistributedTensor tensor = DistributedTensor.of(LocalSpark.session(), params, cut)) {
        Dataset<Row> combined =
            EmbeddingLookup.of(tensor, how, lists.rows(rowPartitions), lists.columns());
        return Lists.tensor(combined, Tensor.zeros(params.dtype(), result));
      }
    }
  }

  @Property(tries = LOCAL_TRIES, shrinking = ShrinkingMode.OFF)
  void lookupOfASparseMatrixMatchesTheOracle(@ForAll long seed) {
    Try one = Try.of(seed);
    Optional<Tensor> expected = refusedAlike(one);
    expected.ifPresent(result -> assertSame(one.lists().call(one.how()).run(one.params()), result));
  }

  private static Optional<Tensor> refusedAlike(Try one) {
    Optional<Tensor> expected = one.expected();
    if (expected.isEmpty() && one.looks()) {
      assertThatThrownBy(() -> one.lists().call(one.how()).run(one.params()))
          .isInstanceOf(SparkNdException.class)
          .hasMessageStartingWith(place(one));
    }
    return one.looks() ? expected : Optional.empty();
  }

  /** Returns how a message on the first rejected id of a sparse matrix begins. */
  private static String place(Try one) {
    NaiveLookup.Refused refused = one.refused();
    long before =
        one.lists().ids().stream().limit(refused.list()).mapToLong(list -> list.length).sum();
    long i = before + refused.position();
    return "ids[%d] (indices[%d], row %d) = [%d] is ".formatted(i, i, refused.list(), refused.id());
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void lookupOfRowsMatchesTheOracle(@ForAll long seed) {
    long next = seed;
    Try one = Try.of(next);
    while (one.expected().isEmpty() || one.lists().ids().isEmpty() || !one.looks()) {
      one = Try.of(++next);
    }
    Tensor expected = one.expected().orElseThrow();
    for (int partitions : new int[] {1, 2, 3, 8}) {
      assertSame(one.byRows(partitions, 1 + (int) Math.floorMod(next + partitions, 4L)), expected);
    }
  }

  @Property(tries = MANY, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void lookupOfRowsMatchesTheOracleInManyTries(@ForAll long seed) {
    lookupOfRowsMatchesTheOracle(seed);
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void rejectedIdOfAListIsNamedWithItsRow(@ForAll long seed) {
    long next = seed;
    Try refused = Try.of(next);
    while (refused.expected().isPresent()) {
      refused = Try.of(++next);
    }
    Try one = refused;
    assertThat(one.params().shape().from(1).elements()).isPositive();
    NaiveLookup.Refused first = one.refused();
    assertThatThrownBy(() -> one.byRows(3, 1))
        .isInstanceOf(SparkNdException.class)
        .hasMessageMatching(
            "ids\\[%d] in row %d of partition 0 = .*%d.* is (out of bounds|negative) for .*"
                .formatted(first.position(), first.list(), first.id()));
    assertThatThrownBy(() -> one.byRows(3, 2))
        .isInstanceOf(SparkNdException.class)
        .hasMessageMatching(
            "ids\\[\\d] in row \\d+ of partition [01] = .* is (out of bounds|negative) for .*");
  }
}
