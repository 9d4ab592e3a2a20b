/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Tests nearest neighbors against a model that sorts all rows by their scores. */
class NearestPropertyTest {
  private static final List<DType> DTYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);

  private static final StructType VECTORS =
      new StructType()
          .add("id", DataTypes.LongType)
          .add("embedding", DataTypes.createArrayType(DataTypes.FloatType));

  private final SparkSession spark = LocalSpark.session();

  /** A neighbor; compared by the bits of its score. */
  private record Neighbor(long query, int rank, long id, double score) {
    static Neighbor of(Row row) {
      return new Neighbor(row.getLong(0), row.getInt(1), row.getLong(2), row.getDouble(3));
    }
  }

  @Property(tries = 6, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void neighborsAreThoseOfTheModelInManyTries(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 5) int partitions,
      @ForAll @IntRange(min = 1, max = 300) int dim) {
    neighborsAreThoseOfTheModel(seed, partitions, dim);
  }

  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void neighborsAreThoseOfTheModel(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 4) int partitions,
      @ForAll @IntRange(min = 1, max = 90) int dim) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean isKeyed = random.nextBoolean();
    EmbeddingSpec plain =
        isKeyed
            ? EmbeddingSpec.keyed(dim, Optimizer.sgd(1))
            : EmbeddingSpec.of(2000, dim, Optimizer.sgd(1));
    EmbeddingSpec spec =
        plain
            .withDType(DTYPES.get(random.nextInt(DTYPES.size())))
            .withInitializer(Initializer.constant(0.25))
            .withPartitions(partitions);
    if (random.nextBoolean()) {
      spec = spec.withRowUsage(); // then other rows of updated blocks are no neighbors
    }
    long[] ids =
        random.longs(random.nextInt(900), 0, isKeyed ? Long.MAX_VALUE : 2000).distinct().toArray();
    EmbeddingTable empty = EmbeddingTable.create(spark, spec);
    EmbeddingTable table =
        empty.apply(vectors(ids, dim, random), TensorColumns.of("embedding", "id"));
    long[] queryIds = random.longs(random.nextInt(300), -9, 9).toArray();
    List<Row> queries = vectors(queryIds, dim, random).collectAsList();
    int k = 1 + random.nextInt(20);
    for (VectorMetric metric : VectorMetric.values()) {
      List<Neighbor> expected = model(table.toDataset().collectAsList(), queries, k, metric);
      EmbeddingTable moved = table.repartition(1 + random.nextInt(4));
      for (EmbeddingTable same : List.of(table, moved)) {
        Dataset<Row> asked =
            spark.createDataFrame(queries, VECTORS).repartition(1 + random.nextInt(3));
        assertThat(sorted(same.nearest(asked, k, metric))).isEqualTo(expected);
      }
      moved.close();
    }
    table.close();
    empty.close();
  }

  /** Returns vectors of a few small values, so that many scores are equal, and of any value. */
  private Dataset<Row> vectors(long[] ids, int dim, SplittableRandom random) {
    List<Row> rows = new ArrayList<>();
    for (long id : ids) {
      Float[] vector = new Float[dim];
      boolean isCoarse = random.nextBoolean();
      Arrays.setAll(
          vector, j -> isCoarse ? (random.nextInt(3) - 1) / 4f : (float) random.nextDouble(-1, 1));
      rows.add(RowFactory.create(id, Arrays.asList(vector)));
    }
    return spark.createDataFrame(rows, VECTORS);
  }

  private static List<Neighbor> sorted(Dataset<Row> found) {
    List<Neighbor> all = new ArrayList<>(found.collectAsList().stream().map(Neighbor::of).toList());
    all.sort(BY_QUERY);
    return all;
  }

  /** Queries may have the same id, and are then told apart by their neighbors. */
  private static final Comparator<Neighbor> BY_QUERY =
      Comparator.comparingLong(Neighbor::query)
          .thenComparingInt(Neighbor::rank)
          .thenComparingDouble(Neighbor::score)
          .thenComparingLong(Neighbor::id);

  private static List<Neighbor> model(
      List<Row> rows, List<Row> queries, int k, VectorMetric metric) {
    List<Neighbor> all = new ArrayList<>();
    for (Row query : queries) {
      Comparator<Neighbor> byScore = Comparator.comparingDouble(Neighbor::score);
      List<Neighbor> nearest =
          rows.stream()
              .map(
                  row ->
                      new Neighbor(query.getLong(0), 0, row.getLong(0), score(query, row, metric)))
              .sorted(
                  (metric == VectorMetric.EUCLIDEAN ? byScore : byScore.reversed())
                      .thenComparingLong(Neighbor::id))
              .limit(k)
              .toList();
      IntStream.range(0, nearest.size())
          .mapToObj(i -> nearest.get(i))
          .map(n -> new Neighbor(n.query(), nearest.indexOf(n) + 1, n.id(), n.score()))
          .forEach(all::add);
    }
    all.sort(BY_QUERY);
    return all;
  }

  private static double score(Row query, Row row, VectorMetric metric) {
    List<Float> q = query.getList(1);
    List<Float> e = row.getList(1);
    double dot = 0;
    double squares = 0;
    double querySquares = 0;
    double rowSquares = 0;
    for (int j = 0; j < q.size(); j++) {
      dot += (double) q.get(j) * e.get(j);
      squares += ((double) q.get(j) - e.get(j)) * ((double) q.get(j) - e.get(j));
      querySquares += (double) q.get(j) * q.get(j);
      rowSquares += (double) e.get(j) * e.get(j);
    }
    return switch (metric) {
      case DOT -> dot + 0.0;
      case COSINE -> {
        double norms = Math.sqrt(querySquares) * Math.sqrt(rowSquares);
        yield norms == 0 ? 0 : Math.max(-1, Math.min(1, dot / norms));
      }
      case EUCLIDEAN -> Math.sqrt(squares);
    };
  }

  @Example
  void rowsThatWereNeverWrittenAreNoNeighbors() {
    EmbeddingTable table = table(EmbeddingSpec.of(1000, 64, Optimizer.sgd(1)));
    Dataset<Row> query = spark.sql("SELECT 5 AS id, array_repeat(1d, 64) AS embedding");
    assertThat(table.nearest(query, 3, VectorMetric.DOT).collectAsList()).isEmpty();
    EmbeddingTable written =
        table.apply(
            spark.sql("SELECT 7L AS id, array_repeat(-1f, 64) AS embedding"),
            TensorColumns.of("embedding", "id"));
    assertThat(written.nearest(query, 3, VectorMetric.DOT).collectAsList())
        .containsExactly(RowFactory.create(5L, 1, 7L, 64.0));
    assertThat(written.nearest(query.where("id < 0"), 3, VectorMetric.DOT).collectAsList())
        .isEmpty();
  }

  private EmbeddingTable table(EmbeddingSpec spec) {
    return EmbeddingTable.create(spark, spec.withPartitions(2));
  }

  @Example
  void badQueriesAreRejectedBeforeTheSearch() {
    EmbeddingTable table = table(EmbeddingSpec.of(10, 2, Optimizer.sgd(1)));
    assertRejected(table, "1L AS id, array(1f, 2f) AS embedding", 0, "k is 0");
    assertRejected(table, "'a' AS id, array(1f, 2f) AS embedding", 1, "column 'id' of the queries");
    assertRejected(table, "1L AS id, array(1, 2) AS embedding", 1, "it must be an array of float");
    assertRejected(table, "1L AS id, array(1f) AS vector", 1, "embedding");
    assertRejected(
        table,
        "1L AS id, array(1f, 2f, 3f) AS embedding",
        1,
        "column 'embedding' of query 0 of partition 0 has 3 elements, and rows of the table have 2");
    assertRejected(table, "1L AS id, array(1f, double('nan')) AS embedding", 1, "is NaN at");
    assertRejected(table, "1L AS id, array(1e39, 0d) AS embedding", 1, "is not finite in float32");
    assertRejected(table, "1L AS id, array(1f, null) AS embedding", 1, "has a null at position 1");
    assertRejected(table, "CAST(null AS int) AS id, array(1f, 1f) AS embedding", 1, "is null");
  }

  private void assertRejected(EmbeddingTable table, String query, int k, String message) {
    Dataset<Row> queries = spark.sql("SELECT " + query);
    assertRejected(() -> table.nearest(queries, k, VectorMetric.COSINE), message);
  }

  private static void assertRejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContaining(message);
  }

  @Example
  void vectorsOfDifferentLengthsHaveNoScore() {
    for (VectorMetric metric : VectorMetric.values()) {
      assertRejected(() -> metric.score(new float[2], new float[3]), "has 2 elements");
      assertRejected(() -> metric.score(new float[3], new float[2]), "has 3 elements");
    }
  }

  /** Row 0 and others are infinite in float16; the row that is trained is not. */
  @Example
  void rowsThatAreNotFiniteAreNamed() {
    Initializer initializer = Initializer.normal(0, 2e5, 5);
    EmbeddingTable table =
        table(
                EmbeddingSpec.of(64, 1, Optimizer.sgd(0.1))
                    .withDType(DType.FLOAT16)
                    .withInitializer(initializer))
            .apply(
                spark.sql("SELECT " + finite(initializer) + " AS id, array(0f) AS embedding"),
                TensorColumns.of("embedding", "id"));
    Dataset<Row> query = spark.sql("SELECT 5 AS id, array(1d) AS embedding");
    assertThatThrownBy(() -> table.nearest(query, 3, VectorMetric.DOT).collectAsList())
        .hasMessageMatching("(?s).*row \\d+ has a weight of -?Infinity.*");
  }

  private static long finite(Initializer initializer) {
    float[] value = new float[1];
    for (long id = 0; true; id++) {
      initializer.fill(id, value, 0, 1);
      if (Math.abs(value[0]) < 60_000) {
        return id;
      }
    }
  }
}
