/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static io.sparknd.oracle.TensorAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.lookup.Combiner;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.op.BadIndices;
import io.sparknd.op.NegativeIndices;
import io.sparknd.oracle.NaiveLookup;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Tests lookups in partly trained tables, by number and by key, against the oracle. */
class TableLookupPropertyTest {
  private static final List<DType> DTYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);

  /** Includes values that mark dropped and rejected rows elsewhere. */
  private static final long[] KEYS = {Long.MIN_VALUE, Long.MAX_VALUE, -1, -2, 0, 5, 1L << 33};

  private static final StructType GRADIENTS =
      new StructType()
          .add("id", DataTypes.LongType)
          .add("gradient", DataTypes.createArrayType(DataTypes.FloatType));

  @Property(tries = 6, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void keysAndNumbersHaveTheirRowsInManyTries(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 5) int partitions,
      @ForAll @IntRange(min = 1, max = 300) int dim) {
    keysHaveTheirRows(seed, partitions, dim);
    numbersHaveTheirRows(seed, partitions, dim);
  }

  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  void keysHaveTheirRows(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 5) int partitions,
      @ForAll @IntRange(min = 1, max = 300) int dim) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] keys =
        LongStream.concat(Arrays.stream(KEYS), random.longs(1 + random.nextInt(300))).toArray();
    EmbeddingSpec spec = EmbeddingSpec.keyed(dim, Optimizer.adagrad(0.1));
    assertFound(spec.withPartitions(partitions), keys, random);
  }

  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  void numbersHaveTheirRows(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 5) int partitions,
      @ForAll @IntRange(min = 1, max = 300) int dim) {
    SplittableRandom random = new SplittableRandom(seed);
    long rows = 1L + random.nextInt(2000);
    long[] ids = random.longs(200, 0, rows).distinct().toArray();
    EmbeddingSpec spec = EmbeddingSpec.of(rows, dim, Optimizer.adagrad(0.1));
    assertFound(spec.withPartitions(partitions), ids, random);
  }

  /**
   * The keys combine a feature in the upper bits with an id in the lower bits, and differ only in
   * the upper bits.
   */
  @Example
  void keysThatDifferInTheirUpperBitsHaveTheirRows() {
    long[] keys = LongStream.range(0, 256).map(i -> (i / 4) << 58 | i % 4).toArray();
    for (int partitions : new int[] {1, 2, 3, 64}) {
      EmbeddingSpec spec = EmbeddingSpec.keyed(3, Optimizer.adagrad(0.1));
      assertFound(spec.withPartitions(partitions), keys, new SplittableRandom(partitions));
    }
  }

  /** Looks up rows of a table of 256 GB that has no trained row. */
  @Example
  void onlyRequestedRowsAreInitialized() {
    EmbeddingSpec spec =
        EmbeddingSpec.of(1_000_000_000L, 64, Optimizer.sgd(1))
            .withInitializer(Initializer.uniform(-1, 1, 5))
            .withPartitions(8);
    long[] ids = {0, 999_999_999, 1 << 28};
    assertFound(spec, ids, new SplittableRandom(1));
  }

  /** Looks up lists of ids, of which about half are trained. */
  private static void assertFound(EmbeddingSpec plain, long[] ids, SplittableRandom random) {
    EmbeddingSpec spec =
        plain
            .withDType(DTYPES.get(random.nextInt(DTYPES.size())))
            .withInitializer(Initializer.uniform(-1, 1, 5));
    NaiveTrainer naive = new NaiveTrainer(spec);
    EmbeddingTable made = EmbeddingTable.create(LocalSpark.session(), spec);
    EmbeddingTable table = trained(made, naive, ids, random);
    Tensor params = rows(naive, spec, ids);
    List<int[]> places = places(ids.length, random);
    Lists lists = lists(places, ids, random);
    Lookup how =
        new Lookup(
            Combiner.values()[random.nextInt(3)],
            random.nextBoolean() ? Double.POSITIVE_INFINITY : random.nextDouble(0.1, 9),
            Lookup.sum().indices());
    List<long[]> numbers =
        places.stream().map(list -> Arrays.stream(list).asLongStream().toArray()).toList();
    Tensor expected = new NaiveLookup(params, how).run(numbers, lists.weights());
    for (int partitions : new int[] {1, 3}) {
      Tensor found =
          Lists.tensor(table.lookup(how, lists.rows(partitions), lists.columns()), expected);
      assertSame(found, expected);
    }
    table.close();
    made.close();
  }

  private static EmbeddingTable trained(
      EmbeddingTable table, NaiveTrainer naive, long[] ids, SplittableRandom random) {
    List<Row> rows = new ArrayList<>();
    Map<Long, float[]> sums = new TreeMap<>();
    for (long id : ids) {
      if (random.nextBoolean() && !sums.containsKey(id)) {
        Float[] gradient = new Float[table.dim()];
        Arrays.setAll(gradient, i -> (float) random.nextDouble(-1, 1));
        rows.add(RowFactory.create(id, Arrays.asList(gradient)));
        float[] sum = new float[gradient.length];
        IntStream.range(0, sum.length).forEach(i -> sum[i] = gradient[i]);
        sums.put(id, sum);
      }
    }
    naive.apply(table.optimizer(), sums);
    return table.apply(
        LocalSpark.session().createDataFrame(rows, GRADIENTS), TensorColumns.of("gradient", "id"));
  }

  /** Returns the rows of {@code ids} as a tensor. */
  private static Tensor rows(NaiveTrainer naive, EmbeddingSpec spec, long[] ids) {
    Tensor rows = Tensor.zeros(spec.dtype(), Shape.of(ids.length, spec.dim()));
    for (int i = 0; i < ids.length; i++) {
      Object row = naive.row(ids[i]).array();
      System.arraycopy(row, 0, rows.array(), i * spec.dim(), spec.dim());
    }
    return rows;
  }

  private static List<int[]> places(int count, SplittableRandom random) {
    return IntStream.range(0, 1 + random.nextInt(40))
        .mapToObj(list -> random.ints(random.nextInt(7), 0, count).toArray())
        .toList();
  }

  private static Lists lists(List<int[]> places, long[] ids, SplittableRandom random) {
    List<long[]> named =
        places.stream().map(list -> Arrays.stream(list).mapToLong(i -> ids[i]).toArray()).toList();
    List<double[]> weights =
        places.stream().map(list -> random.doubles(list.length, -2, 3).toArray()).toList();
    return new Lists(named, random.nextBoolean() ? weights : null);
  }

  @Example
  void idsOutOfBoundsAreRejectedOrIgnored() {
    EmbeddingTable table =
        EmbeddingTable.create(
            LocalSpark.session(),
            EmbeddingSpec.of(10, 2, Optimizer.sgd(1)).withInitializer(Initializer.constant(3)));
    Lists lists = new Lists(List.of(new long[] {1, 10}, new long[] {12, 2, 9}), null);
    assertThatThrownBy(() -> table.lookup(Lookup.sum(), lists.rows(2), lists.columns()))
        .isInstanceOf(SparkNdException.class)
        .hasMessageMatching("(?s)ids\\[1] in row 0 of partition 0 = \\[10] is out of bounds for.*");
    Lookup lenient = Lookup.sum().withBadIndices(BadIndices.IGNORE);
    List<Row> found = table.lookup(lenient, lists.rows(2), lists.columns()).collectAsList();
    assertThat(found.get(0).<Float>getList(4)).containsExactly(3f, 3f);
    assertThat(found.get(1).<Float>getList(4)).containsExactly(6f, 6f);
    table.close();
  }

  @Example
  void keysHaveNoBounds() {
    try (EmbeddingTable table =
        EmbeddingTable.create(LocalSpark.session(), EmbeddingSpec.keyed(2, Optimizer.sgd(1)))) {
      Lists lists = new Lists(List.of(new long[] {1, -1}), null);
      Lookup strict = Lookup.sum();
      assertThat(table.lookup(strict, lists.rows(2), lists.columns()).count()).isOne();
      for (Lookup lenient :
          List.of(
              strict.withBadIndices(BadIndices.IGNORE),
              strict.withBadIndices(BadIndices.fill(0)),
              strict.withNegativeIndices(NegativeIndices.WRAP))) {
        assertThatThrownBy(() -> table.lookup(lenient, lists.rows(2), lists.columns()))
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("every 64-bit integer is a key of this embedding table");
      }
    }
  }

  @Example
  void partitionRejectsTooManyRows() {
    EmbeddingSpec spec = EmbeddingSpec.of(100_000_000_000L, 64, Optimizer.sgd(1)).withPartitions(8);
    assertThatThrownBy(() -> EmbeddingTable.create(LocalSpark.session(), spec))
        .isInstanceOf(SparkNdException.class)
        .hasMessage(
            "an embedding table of 100000000000 rows in 8 partitions: a partition holds at most"
                + " 2147483583 rows; use at least 47 partitions");
  }
}
