/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.export.ExportFormat;
import io.sparknd.embedding.export.HnswFormat;
import io.sparknd.embedding.nearest.HnswIndex;
import io.sparknd.embedding.nearest.NearestRow;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the HNSW index against the exact search. */
class HnswIndexTest {
  private static final int ROWS = 1500;
  private static final int DIM = 12;

  private final SparkSession spark = LocalSpark.session();

  @TempDir private Path directory;

  private EmbeddingTable table() {
    EmbeddingSpec spec = EmbeddingSpec.keyed(DIM, Optimizer.sgd(1)).withPartitions(3);
    return EmbeddingTable.create(spark, spec)
        .apply(
            spark.sql(
                "SELECT xxhash64(id) AS id, transform(sequence(1, 12), j ->"
                    + " CAST(sin(id * id * j) * (1 + id % 3) AS float)) AS gradient FROM range(1, "
                    + (ROWS + 1)
                    + ")"),
            TensorColumns.of("gradient", "id"));
  }

  @ParameterizedTest
  @EnumSource(VectorMetric.class)
  void mostNeighborsAreFoundWithTheirExactScores(VectorMetric metric) {
    EmbeddingTable table = table();
    Path target = directory.resolve("index");
    table.export(ExportFormat.hnsw(metric), target);
    Dataset<Row> queries = table.toDataset().orderBy("id").limit(40);
    Map<Long, List<NearestRow>> exact = exact(table, queries, metric);
    int found = 0;
    try (HnswIndex index = HnswIndex.open(target)) {
      assertThat(index.size()).isEqualTo(ROWS);
      assertThat(index.metric()).isEqualTo(metric);
      for (Row query : queries.collectAsList()) {
        float[] vector = vector(query);
        List<NearestRow> expected = exact.get(query.getLong(0));
        List<NearestRow> nearest = index.nearest(vector, 10, 100);
        assertThat(nearest).hasSize(10);
        found += (int) nearest.stream().filter(expected::contains).count();
        // all candidates: the exact search, to the last bit
        assertThat(index.nearest(vector, 10, ROWS)).isEqualTo(expected);
        assertThat(index.nearest(vector, 10, Integer.MAX_VALUE)).isEqualTo(expected);
      }
    }
    assertThat(found).isGreaterThan(380);
  }

  private static Map<Long, List<NearestRow>> exact(
      EmbeddingTable table, Dataset<Row> queries, VectorMetric metric) {
    return table.nearest(queries, 10, metric).orderBy("query_id", "rank").collectAsList().stream()
        .collect(
            Collectors.groupingBy(
                row -> row.getLong(0),
                TreeMap::new,
                Collectors.mapping(
                    row -> new NearestRow(row.getLong(2), row.getDouble(3)), Collectors.toList())));
  }

  private static float[] vector(Row row) {
    List<Float> elements = row.getList(1);
    float[] vector = new float[DIM];
    for (int j = 0; j < DIM; j++) {
      vector[j] = elements.get(j);
    }
    return vector;
  }

  /** Squares of such elements are 0 in float32. */
  @Test
  void directionsOfTinyRowsAndQueriesAreFound() {
    EmbeddingTable table = scaled("IF(id % 2 = 0, 1d, 1e-30)");
    table.export(ExportFormat.hnsw(VectorMetric.COSINE), directory.resolve("tiny"));
    table.export(ExportFormat.hnsw(VectorMetric.DOT), directory.resolve("products"));
    Dataset<Row> queries = table.toDataset().where("id < 20");
    assertThat(found(table, queries, VectorMetric.COSINE, directory.resolve("tiny")))
        .isGreaterThan(180);
    assertThat(found(table, queries, VectorMetric.DOT, directory.resolve("products")))
        .isGreaterThan(180);
  }

  /** Returns how many of the 10 nearest of each query are among 10 of 60 candidates. */
  private static int found(
      EmbeddingTable table, Dataset<Row> queries, VectorMetric metric, Path path) {
    Map<Long, List<NearestRow>> exact = exact(table, queries, metric);
    int found = 0;
    try (HnswIndex index = HnswIndex.open(path)) {
      for (Row query : queries.collectAsList()) {
        List<NearestRow> expected = exact.get(query.getLong(0));
        List<NearestRow> nearest = index.nearest(vector(query), 10, 60);
        found += (int) nearest.stream().filter(expected::contains).count();
      }
    }
    return found;
  }

  private EmbeddingTable scaled(String scale) {
    EmbeddingSpec spec = EmbeddingSpec.keyed(DIM, Optimizer.sgd(1)).withPartitions(2);
    return EmbeddingTable.create(spark, spec)
        .apply(
            spark.sql(
                "SELECT id, transform(sequence(1, 12), j -> CAST(sin(id * id * j) * "
                    + scale
                    + " AS float)) AS gradient FROM range(1, 601)"),
            TensorColumns.of("gradient", "id"));
  }

  @ParameterizedTest
  @EnumSource(VectorMetric.class)
  void rowsAndQueriesWhoseSquaresOverflowAreRejected(VectorMetric metric) {
    ExportFormat format = ExportFormat.hnsw(metric);
    EmbeddingTable large = scaled("IF(id = 7, 1e25, 1d)");
    assertRejected(() -> large.export(format, directory.resolve("x")), "row 7 has a Euclidean");
    assertThat(directory.resolve("x")).doesNotExist();
    scaled("1d").export(format, directory.resolve("index"));
    float[] query = new float[DIM];
    query[3] = 1e25f;
    try (HnswIndex index = HnswIndex.open(directory.resolve("index"))) {
      assertRejected(() -> index.nearest(query, 1, 1), "has a sum of squares above");
    }
  }

  @Test
  void rowsOfZerosAreNotInAnIndexByCosine() {
    EmbeddingTable table =
        EmbeddingTable.create(spark, EmbeddingSpec.of(3, 64, Optimizer.sgd(1)).withPartitions(2))
            .apply(
                spark.sql(
                    "SELECT id, array_repeat(CAST(id AS float), 64) AS gradient FROM range(2)"),
                TensorColumns.of("gradient", "id"));
    table.export(ExportFormat.hnsw(VectorMetric.COSINE), directory.resolve("cosine"));
    table.export(ExportFormat.hnsw(VectorMetric.DOT), directory.resolve("dot"));
    float[] ones = new float[64];
    Arrays.fill(ones, 1);
    try (HnswIndex index = HnswIndex.open(directory.resolve("cosine"))) {
      assertThat(index.nearest(ones, 5, 5)).containsExactly(new NearestRow(1, -1));
      assertRejected(() -> index.nearest(new float[64], 1, 1), "is all zeros");
      assertRejected(() -> index.nearest(new float[3], 1, 1), "has 3 elements");
      assertRejected(() -> index.nearest(ones, 0, 1), "k is 0");
      assertRejected(() -> index.nearest(ones, 2, 1), "candidates is 1");
    }
    try (HnswIndex index = HnswIndex.open(directory.resolve("dot"))) {
      assertThat(index.nearest(ones, 5, 5))
          .containsExactly(new NearestRow(0, 0), new NearestRow(1, -64));
    }
  }

  @Test
  void emptyTableIsAnEmptyIndex() {
    EmbeddingTable table = EmbeddingTable.create(spark, EmbeddingSpec.keyed(4, Optimizer.sgd(1)));
    table.export(ExportFormat.hnsw(VectorMetric.DOT), directory.resolve("none"));
    try (HnswIndex index = HnswIndex.open(directory.resolve("none"))) {
      assertThat(index.nearest(new float[4], 5, 5)).isEmpty();
      assertThat(index.dim()).isEqualTo(4);
    }
  }

  @Test
  void otherDirectoriesAndSizesAreRejected() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertRejected(() -> HnswIndex.open(empty), "is not an index");
    assertRejected(() -> HnswIndex.open(directory.resolve("missing")), "is not an index");
    assertThat(directory.resolve("missing")).doesNotExist();
    HnswFormat format = ExportFormat.hnsw(VectorMetric.DOT);
    assertRejected(() -> format.withConnections(1), "connections is 1");
    EmbeddingTable wide = EmbeddingTable.create(spark, EmbeddingSpec.keyed(1025, Optimizer.sgd(1)));
    assertRejected(() -> wide.export(format, directory.resolve("wide")), "in a row is 1025");
    assertThat(directory.resolve("wide")).doesNotExist();
  }

  private static void assertRejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(SparkNdException.class).hasMessageContaining(message);
  }
}
