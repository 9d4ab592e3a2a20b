/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.sql.NdCatalog;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the procedures on saved embedding tables beside the calls of Java. */
class EmbeddingProceduresTest {
  @TempDir Path folder;

  private SparkSession spark;
  private EmbeddingTable table;
  private String saved;

  @BeforeEach
  void save() {
    spark = LocalSpark.session();
    SparkSession.setActiveSession(spark);
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    table =
        EmbeddingTable.create(spark, EmbeddingSpec.of(40, 3, Optimizer.sgd(1)))
            .apply(
                spark.sql(
                    "SELECT id, array(float(id % 7), float(id % 5), float(id)) AS gradient"
                        + " FROM range(30)"),
                TensorColumns.of("gradient", "id"));
    saved = folder.resolve("pages of today").toString();
    table.save(saved);
  }

  private void assertView(List<Row> view, String name, Dataset<Row> expected) {
    assertThat(view).extracting(row -> row.getString(0)).containsExactly(name);
    Dataset<Row> found = spark.table(name);
    assertThat(found.schema()).isEqualTo(expected.schema());
    assertThat(found.collectAsList()).containsExactlyInAnyOrderElementsOf(expected.collectAsList());
    assertThat(found.count()).isPositive();
  }

  @Test
  void nearestRowsAreThoseOfTheTable() {
    Dataset<Row> queries = table.toDataset().where("id IN (2, 17)");
    queries.createOrReplaceTempView("queries");
    assertView(
        spark.sql("CALL nd.system.nearest('" + saved + "', 'queries')").collectAsList(),
        "`pages of today_nearest`",
        table.nearest(queries, 10, VectorMetric.COSINE));
    assertView(
        spark
            .sql(
                ("CALL nd.system.nearest(embedding => '%s', queries => 'SELECT 9 AS id, array(1F, 2F, 3F)"
                        + " AS embedding', k => 2, metric => 'euclidean', view => 'two')")
                    .formatted(saved))
            .collectAsList(),
        "two",
        table.nearest(
            spark.sql("SELECT 9 AS id, array(1F, 2F, 3F) AS embedding"),
            2,
            VectorMetric.EUCLIDEAN));
  }

  @Test
  void lookupsAreThoseOfTheTable() {
    Dataset<Row> visits = spark.sql("SELECT 'a' AS user, array(1L, 2L, 29L) AS pages");
    visits.createOrReplaceTempView("visits");
    assertView(
        spark
            .sql(
                "CALL nd.system.embedding_lookup('%s', 'visits', ids => 'pages', combiner => 'sum')"
                    .formatted(saved))
            .collectAsList(),
        "`pages of today_embedding_lookup`",
        table.lookup(Lookup.sum(), visits, LookupColumns.of("pages")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0.5", "2.5D", "'1e0'", "'inf'", "NULL"})
  void lookupsLimitTheNormOfRows(String maxNorm) {
    Dataset<Row> visits = spark.sql("SELECT 'a' AS user, array(1L, 2L, 29L) AS ids");
    visits.createOrReplaceTempView("visits");
    double norm =
        switch (maxNorm) {
          case "NULL", "'inf'" -> Double.POSITIVE_INFINITY;
          default -> Double.parseDouble(maxNorm.replace("'", ""));
        };
    assertView(
        spark
            .sql(
                "CALL nd.system.embedding_lookup('%s', 'visits', max_norm => %s, view => 'limited')"
                    .formatted(saved, maxNorm))
            .collectAsList(),
        "limited",
        table.lookup(Lookup.mean().withMaxNorm(norm), visits, LookupColumns.of("ids")));
  }

  @Test
  void ignoredIdsMayBeNegative() {
    Dataset<Row> visits = spark.sql("SELECT array(1L, -1L, 99L) AS ids");
    visits.createOrReplaceTempView("visits");
    spark.sql(
        "CALL nd.system.embedding_lookup('%s', 'visits', bad_indices => 'ignore', view => 'left_out')"
            .formatted(saved));
    Dataset<Row> one = spark.sql("SELECT array(1L) AS ids");
    assertThat(spark.table("left_out").select("embedding").collectAsList())
        .isEqualTo(
            table
                .lookup(Lookup.mean(), one, LookupColumns.of("ids"))
                .select("embedding")
                .collectAsList());
  }

  @ParameterizedTest
  @CsvSource({
    "0, max_norm is 0.0; it must be above 0",
    "'''far''', argument 'max_norm' of embedding_lookup is far; it takes a number"
  })
  void wrongNormsAreErrors(String maxNorm, String message) {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "CALL nd.system.embedding_lookup('%s', 'SELECT array(1L) AS ids', max_norm => %s)"
                        .formatted(saved, maxNorm)))
        .hasMessageContaining(message);
  }

  @Test
  void wrongArgumentsAreErrors() {
    assertThatThrownBy(
            () -> spark.sql("CALL nd.system.nearest('" + folder.resolve("none") + "', 'queries')"))
        .hasMessageContaining("none");
    assertThatThrownBy(
            () -> spark.sql("CALL nd.system.nearest('" + saved + "', CAST(NULL AS string))"))
        .hasMessageContaining("procedure nearest requires argument 'queries', which is NULL");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "CALL nd.system.nearest('%s', 'SELECT 1 AS id, array(1F, 2F, 3F) AS embedding', metric => 'far')"
                        .formatted(saved)))
        .hasMessageContaining("far");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "CALL nd.system.nearest('%s', 'SELECT 1 AS id, array(1F, 2F, 3F) AS embedding', k => 0)"
                        .formatted(saved)))
        .hasMessageContaining("k is 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"users:v2", ""})
  void textThatIsNoPathIsTheErrorOfTheLoad(String path) {
    ThrowingCallable load = () -> EmbeddingTable.load(spark, path);
    String message = catchThrowableOfType(SparkNdException.class, load).getMessage();
    assertThatThrownBy(() -> spark.sql("CALL nd.system.nearest('" + path + "', 'queries')"))
        .hasMessageContaining(message);
  }
}
