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
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.FSDirectory;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    return exact(table, queries, metric, 10);
  }

  private static Map<Long, List<NearestRow>> exact(
      EmbeddingTable table, Dataset<Row> queries, VectorMetric metric, int k) {
    return table.nearest(queries, k, metric).orderBy("query_id", "rank").collectAsList().stream()
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

  /** In a graph, equal rows have each other for neighbors, and no way to other rows. */
  @ParameterizedTest
  @EnumSource(VectorMetric.class)
  void equalRowsHideNoOthers(VectorMetric metric) {
    for (int percent : new int[] {50, 5}) {
      EmbeddingTable table =
          keyed(3, "IF(id % 100 < " + percent + ", cos(j), sin(id * id * j)) * 0.1", 4000);
      Path target = directory.resolve("equal" + percent);
      table.export(ExportFormat.hnsw(metric), target);
      Dataset<Row> queries = table.toDataset().where("id % 100 = 60").limit(40);
      assertThat(found(table, queries, metric, target, 100)).isGreaterThan(380);
    }
  }

  @ParameterizedTest
  @EnumSource(VectorMetric.class)
  void rowsThatWereNotTrainedHideNoOthers(VectorMetric metric) {
    EmbeddingSpec spec = EmbeddingSpec.of(4000, DIM, Optimizer.adagrad(0.1)).withPartitions(2);
    EmbeddingTable table =
        EmbeddingTable.create(spark, spec)
            .apply(
                updates("sin(id * id * j)", 4000).where("id % 4 = 1"),
                TensorColumns.of("gradient", "id"));
    Path target = directory.resolve("partly");
    table.export(ExportFormat.hnsw(metric), target);
    Dataset<Row> queries = table.toDataset().where("id % 100 = 9");
    Map<Long, List<NearestRow>> exact = exact(table, queries, metric);
    assertThat(exact).hasSize(40);
    assertThat(found(table, queries, metric, target, 100)).isGreaterThan(380);
    try (HnswIndex index = HnswIndex.open(target)) {
      assertThat(index.size()).isEqualTo(metric == VectorMetric.COSINE ? 1000 : 4000);
    }
  }

  @ParameterizedTest
  @EnumSource(VectorMetric.class)
  void rowsOfOneVectorAreInTheOrderOfTheirIds(VectorMetric metric) {
    EmbeddingTable table = keyed(3, "sin((1 + id % 3) * j)", 1200);
    Path target = directory.resolve("three");
    table.export(ExportFormat.hnsw(metric), target);
    Dataset<Row> queries = table.toDataset().where("id < 8");
    Map<Long, List<NearestRow>> first = exact(table, queries, metric);
    Map<Long, List<NearestRow>> all = exact(table, queries, metric, 1300);
    try (HnswIndex index = HnswIndex.open(target)) {
      assertThat(index.size()).isEqualTo(1200);
      for (Row query : queries.collectAsList()) {
        assertThat(index.nearest(vector(query), 10, 10)).isEqualTo(first.get(query.getLong(0)));
        assertThat(index.nearest(vector(query), 1300, 1300)).isEqualTo(all.get(query.getLong(0)));
        assertThat(index.nearest(vector(query), 500, 500))
            .isEqualTo(all.get(query.getLong(0)).subList(0, 500));
      }
    }
  }

  /** Those have a vector in each document. */
  @Test
  void indexesOfEarlierVersionsAreRead() throws IOException {
    Path target = directory.resolve("earlier");
    try (FSDirectory files = FSDirectory.open(target);
        IndexWriter writer = new IndexWriter(files, new IndexWriterConfig())) {
      for (int row = 0; row < 3; row++) {
        Document document = new Document();
        document.add(new NumericDocValuesField("id", 9 - row));
        document.add(
            new KnnFloatVectorField(
                "embedding",
                new float[] {Math.max(0, row - 1), 0},
                VectorSimilarityFunction.EUCLIDEAN));
        writer.addDocument(document);
      }
      writer.setLiveCommitData(
          Map.of("sparknd.metric", "euclidean", "sparknd.dim", "2").entrySet());
    }
    try (HnswIndex index = HnswIndex.open(target)) {
      assertThat(index.size()).isEqualTo(3);
      assertThat(index.nearest(new float[2], 9, 9))
          .containsExactly(new NearestRow(8, 0), new NearestRow(9, 0), new NearestRow(7, 1));
    }
  }

  /** Squares of such elements are 0 in float32. */
  @Test
  void directionsOfTinyRowsAndQueriesAreFound() {
    EmbeddingTable table = scaled("IF(id % 2 = 0, 1d, 1e-30)");
    table.export(ExportFormat.hnsw(VectorMetric.COSINE), directory.resolve("tiny"));
    table.export(ExportFormat.hnsw(VectorMetric.DOT), directory.resolve("products"));
    Dataset<Row> queries = table.toDataset().where("id < 20");
    assertThat(found(table, queries, VectorMetric.COSINE, directory.resolve("tiny"), 60))
        .isGreaterThan(180);
    assertThat(found(table, queries, VectorMetric.DOT, directory.resolve("products"), 60))
        .isGreaterThan(180);
  }

  /** Returns how many of the 10 nearest of each query are among 10 of the candidates. */
  private static int found(
      EmbeddingTable table, Dataset<Row> queries, VectorMetric metric, Path path, int candidates) {
    Map<Long, List<NearestRow>> exact = exact(table, queries, metric);
    int found = 0;
    try (HnswIndex index = HnswIndex.open(path)) {
      for (Row query : queries.collectAsList()) {
        List<NearestRow> expected = exact.get(query.getLong(0));
        List<NearestRow> nearest = index.nearest(vector(query), 10, candidates);
        found += (int) nearest.stream().filter(expected::contains).count();
      }
    }
    return found;
  }

  private EmbeddingTable scaled(String scale) {
    return keyed(2, "sin(id * id * j) * " + scale, 600);
  }

  /** Returns a table of keys 1 to {@code rows}; {@code gradient} is of {@code id} and {@code j}. */
  private EmbeddingTable keyed(int partitions, String gradient, int rows) {
    EmbeddingSpec spec = EmbeddingSpec.keyed(DIM, Optimizer.sgd(1)).withPartitions(partitions);
    return EmbeddingTable.create(spark, spec)
        .apply(updates(gradient, rows + 1), TensorColumns.of("gradient", "id"));
  }

  private Dataset<Row> updates(String gradient, int end) {
    return spark.sql(
        "SELECT id, transform(sequence(1, 12), j -> CAST("
            + gradient
            + " AS float)) AS gradient FROM range(1, "
            + end
            + ")");
  }

  /** Lucene's scores of such rows are all 1, rounded to float32. */
  @ParameterizedTest
  @CsvSource({"1e-5, 380", "1e-40, 350"})
  void neighborsAmongSmallRowsAreFound(String scale, int least) {
    EmbeddingTable table = keyed(3, "sin(id * id * j) * (1 + id % 3) * " + scale, 4000);
    for (VectorMetric metric : VectorMetric.values()) {
      Path target = directory.resolve(metric.toString());
      table.export(ExportFormat.hnsw(metric), target);
      Dataset<Row> queries = table.toDataset().where("id % 100 = 60");
      assertThat(found(table, queries, metric, target, 100)).isGreaterThan(least);
    }
  }

  /** Squared distances to such queries are equal in float32. */
  @Test
  void neighborsOfQueriesFarFromSmallRowsAreFound() {
    EmbeddingTable table = keyed(3, "sin(id * id * j) * 1e-5", 2000);
    Path target = directory.resolve("far");
    table.export(ExportFormat.hnsw(VectorMetric.EUCLIDEAN), target);
    Dataset<Row> queries =
        table
            .toDataset()
            .where("id % 50 = 20")
            .selectExpr("id", "transform(embedding, x -> CAST(x * 1e8 AS float)) AS embedding");
    assertThat(found(table, queries, VectorMetric.EUCLIDEAN, target, 100)).isGreaterThan(300);
    float[] farthest = new float[DIM];
    farthest[0] = 0x1p62f;
    try (HnswIndex index = HnswIndex.open(target)) {
      assertThat(index.nearest(farthest, 10, 100)).hasSize(10);
    }
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

  /** A server may have an earlier version than the one that exported. */
  @Test
  void indexOfALaterFormatOrWithLostFilesIsNamed() throws IOException {
    EmbeddingTable table = EmbeddingTable.create(spark, EmbeddingSpec.keyed(4, Optimizer.sgd(1)));
    Path index = directory.resolve("later");
    table.export(ExportFormat.hnsw(VectorMetric.DOT), index);
    try (FSDirectory files = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(files, new IndexWriterConfig())) {
      writer.setLiveCommitData(Map.of("sparknd.format", "2", "sparknd.codec", "zstd").entrySet());
      writer.commit();
    }
    assertRejected(() -> HnswIndex.open(index), "its format is 2, not 1");
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        Files.writeString(file, "");
      }
    }
    assertRejected(() -> HnswIndex.open(index), "error while reading index");
  }

  @Test
  void otherDirectoriesAndSizesAreRejected() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertRejected(() -> HnswIndex.open(empty), "is not an index");
    assertRejected(
        () -> HnswIndex.open(directory.resolve("missing")), "hnsw: it is not a directory");
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
