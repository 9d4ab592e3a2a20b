/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests gradients from the rows of a Dataset, and the rows of a table as a Dataset. */
class GradientRowsTest {
  private static final int DIM = 3;
  private static final TensorColumns COLUMNS = TensorColumns.of("gradient", "id");
  private static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType)
          .add("gradient", DataTypes.createArrayType(DataTypes.FloatType))
          .add("at", DataTypes.IntegerType);
  private static final long[] KEYS = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, -2, 5, 1L << 33};

  @Tag("slow")
  @Property(tries = 15, shrinking = ShrinkingMode.OFF)
  void gradientsOfAKeyAreSummedInOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3000) int count,
      @ForAll @IntRange(min = 1, max = 5) int partitions) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] others = LongStream.range(0, 300).map(i -> random.nextLong()).toArray();
    long[] keys = LongStream.concat(Arrays.stream(KEYS), Arrays.stream(others)).toArray();
    long[] ids = IntStream.range(0, count).mapToLong(i -> keys[random.nextInt(307)]).toArray();
    EmbeddingSpec spec = keyed().withPartitions(partitions);
    NaiveTrainer naive = new NaiveTrainer(spec);
    EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), spec);
    for (int step = 0; step < 3; step++) {
      List<Row> rows = gradients(ids, random);
      naive.apply(spec.optimizer(), sums(rows));
      table = applied(table, rows, random.nextInt(3));
      KeyedTrainingPropertyTest.assertSameBits(table, naive.written());
    }
    table.close();
  }

  @Tag("slow")
  @Property(tries = 15, shrinking = ShrinkingMode.OFF)
  void gradientsOfARowNumberAreSummedInOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3000) int count,
      @ForAll @IntRange(min = 1, max = 5) int partitions) {
    SplittableRandom random = new SplittableRandom(seed);
    int size = 1 + random.nextInt(4000);
    long[] ids = random.longs(count, 0, 1 + size / 3).toArray();
    EmbeddingSpec spec =
        EmbeddingSpec.of(size, DIM, Optimizer.adagrad(0.1))
            .withInitializer(Initializer.uniform(-1, 1, 5))
            .withPartitions(partitions);
    NaiveTrainer naive = new NaiveTrainer(spec);
    List<Row> rows = gradients(ids, random);
    naive.apply(spec.optimizer(), sums(rows));
    EmbeddingTable table =
        applied(EmbeddingTable.create(LocalSpark.session(), spec), rows, random.nextInt(3));
    TensorAssert.assertSameBits(table.weights().collect(), naive.weights());
    writtenBlocksAreThere(table, naive);
    table.close();
  }

  /** Checks that the Dataset has all trained rows, with their blocks, and not most other rows. */
  private static void writtenBlocksAreThere(EmbeddingTable table, NaiveTrainer naive) {
    Map<Long, float[]> rows = KeyedTrainingPropertyTest.rows(table);
    rows.forEach((id, weights) -> assertThat(weights).containsExactly(naive.weights(id)));
    assertThat(rows.keySet()).containsAll(naive.written().keySet());
    assertThat(table.writtenRows()).isEqualTo(rows.size());
    if (table.rows() > 1000) {
      assertThat((long) rows.size()).isLessThan(table.rows() / 2);
    }
  }

  private static EmbeddingSpec keyed() {
    return EmbeddingSpec.keyed(DIM, Optimizer.adagrad(0.1))
        .withInitializer(Initializer.uniform(-1, 1, 5));
  }

  private static List<Row> gradients(long[] ids, SplittableRandom random) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      List<Float> gradient =
          List.of(
              (float) random.nextDouble(-1, 1),
              (float) random.nextDouble(-1e6, 1e6),
              random.nextInt(3) == 0 ? -0f : 1e-3f);
      rows.add(RowFactory.create(ids[i], gradient, i));
    }
    return rows;
  }

  private static Map<Long, float[]> sums(List<Row> rows) {
    Map<Long, float[]> sums = new TreeMap<>();
    for (Row row : rows) {
      List<?> list = row.getAs(1);
      float[] gradient = {(Float) list.get(0), (Float) list.get(1), (Float) list.get(2)};
      sums.merge(row.getLong(0), gradient, NaiveTrainer::sum);
    }
    return sums;
  }

  /** Applies the gradients in row order, or shuffled with an order column. */
  private static EmbeddingTable applied(EmbeddingTable table, List<Row> rows, int way) {
    if (way == 0) {
      return table.apply(dataset(rows), COLUMNS);
    }
    List<Row> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(way));
    return table.apply(dataset(shuffled).repartition(way), COLUMNS.orderedBy("at"));
  }

  private static Dataset<Row> dataset(List<Row> rows) {
    return LocalSpark.session().createDataFrame(rows, SCHEMA);
  }

  @Test
  void firstInvalidRowIsNamed() {
    EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), keyed());
    List<Row> rows =
        new ArrayList<>(gradients(new long[] {1, 2, 3, 4, 5, 6}, new SplittableRandom(1)));
    rows.add(2, RowFactory.create(-7L, List.of(1f, 2f), 0));
    rows.add(3, RowFactory.create(null, List.of(1f, 2f, 3f), 0));
    assertThatThrownBy(() -> table.apply(dataset(rows).coalesce(1), COLUMNS))
        .isInstanceOf(SparkNdException.class)
        .hasMessage(
            "the value at [-7], row 2 of partition 0, has 2 values in dimension 0; slice [3] needs"
                + " 3: correct the row, or filter it out");
    rows.remove(2);
    assertThatThrownBy(() -> table.apply(dataset(rows).coalesce(1), COLUMNS))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("row 2 of partition 0 has a null in index column 'id'");
    rows.set(2, RowFactory.create(9L, null, 0));
    assertThatThrownBy(() -> table.apply(dataset(rows).coalesce(1), COLUMNS))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("the value at [9], row 2 of partition 0, is null");
    assertThat(table.writtenRows()).isZero();
  }

  @Test
  void columnsMustBeOneIdAndOneArray() {
    Dataset<Row> rows = dataset(gradients(new long[] {1}, new SplittableRandom(1)));
    for (EmbeddingSpec spec : List.of(keyed(), EmbeddingSpec.of(10, DIM, Optimizer.sgd(1)))) {
      EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), spec);
      assertThatThrownBy(() -> table.apply(rows, TensorColumns.of("gradient", "id", "at")))
          .isInstanceOf(SparkNdException.class)
          .hasMessage(
              "gradients of embeddings have ids in columns [id, at]; they need one column of ids");
      assertThatThrownBy(() -> table.apply(rows, TensorColumns.of("gradient", "gradient")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("index column 'gradient' is array<float>");
      assertThatThrownBy(() -> table.apply(rows, TensorColumns.of("at", "id")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("'at'");
      assertThatThrownBy(() -> table.apply(rows, TensorColumns.of("gradient", "nowhere")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("nowhere");
    }
  }

  @Test
  void narrowIdsAreKeysToo() {
    EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), keyed());
    Dataset<Row> rows =
        dataset(gradients(new long[] {-1, 0, 1}, new SplittableRandom(1)))
            .selectExpr("cast(id as tinyint) id", "gradient");
    assertThat(KeyedTrainingPropertyTest.rows(table.apply(rows, COLUMNS)))
        .containsOnlyKeys(-1L, 0L, 1L);
  }

  @Test
  void keyedTableCannotBecomeATensor() {
    EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), keyed());
    assertThat(table.rows()).isZero();
    assertThat(table.toString()).startsWith("float32[keys, 3] in 2 partitions");
    assertThatThrownBy(table::weights)
        .isInstanceOf(SparkNdException.class)
        .hasMessage(
            "the ids of this embedding table are keys, but a tensor numbers its rows: use"
                + " toDataset(), which includes the keys");
    assertThat(table.toDataset().schema().simpleString())
        .isEqualTo("struct<id:bigint,embedding:array<float>>");
    assertThat(table.toDataset().count()).isZero();
  }

  @Test
  void specsWithoutRowsOrWeightsAreRejected() {
    assertThatThrownBy(() -> EmbeddingSpec.of(0, DIM, Optimizer.sgd(1)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("EmbeddingSpec.keyed");
    assertThatThrownBy(() -> EmbeddingSpec.keyed(0, Optimizer.sgd(1)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("of 0 weights");
  }
}
