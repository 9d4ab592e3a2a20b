/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.ValueLayout;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that Iceberg's reader for Java and DuckDB read what Spark reads, after each step of random
 * histories. DuckDB reads the data files that Iceberg names, where no row of them is deleted.
 */
@Tag("slow")
class ForeignReadersTest {
  private static final int STEPS = 8;

  private final SparkSession spark = TestTables.spark();
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private int readByDuckDb;

  @ParameterizedTest
  @ValueSource(strings = {"copy-on-write", "merge-on-read"})
  void featureTablesAreReadByOthers(String mode) throws Exception {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .andKey("day", "date")
                .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()))
                .with(Variable.of("best", "int").reducedBy(VariableReduction.max()))
                .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
                .with(Variable.of("paid", "decimal(20,2)").reducedBy(VariableReduction.add()))
                .with(Variable.of("city", "string"))
                .with(Variable.of("photo", "binary"))
                .with(Variable.of("taste", DType.FLOAT32, 3).reducedBy(VariableReduction.add()))
                .with(
                    Variable.of("last", "array<bigint>")
                        .reducedBy(VariableReduction.lastN(3, "seen")))
                .withProperty("write.merge.mode", mode)
                .withProperty("sparknd.rows-per-bucket", "16")
                .withBuckets(2));
    String views = "views";
    String likes = "";
    for (int step = 0; step < STEPS; step++) {
      scatter(table, views, likes);
      switch (random.nextInt(5)) {
        case 0 -> table.compact();
        case 1 -> table.evict("best % 3 = " + random.nextInt(3));
        case 2 -> {
          String name = views + "_";
          table.renameVariable(views, name);
          views = name;
        }
        case 3 -> {
          if (likes.isEmpty()) {
            likes = "likes";
            table.addVariable(
                Variable.of(likes, "bigint").reducedBy(VariableReduction.add()).withFill(7L));
          }
        }
        default -> scatter(table, views, likes);
      }
      check(table.iceberg(), table.name());
    }
    table.compact();
    check(table.iceberg(), table.name());
    assertThat(readByDuckDb).as("seed " + seed).isPositive();
  }

  private void scatter(FeatureTable table, String views, String likes) {
    String added = likes.isEmpty() ? "" : ", id AS " + likes;
    table.scatter(
        spark.sql(
            """
            SELECT 'u' || int(rand(%1$d) * 30) AS user, date_add(DATE'1969-12-30', int(id %% 3)) AS day,
              id AS %2$s, int(rand(%1$d + 1) * 100) AS best,
              timestamp_seconds(int(rand(%1$d + 2) * 1e9)) AS seen,
              CAST(rand(%1$d + 3) * 1e6 AS DECIMAL(20, 2)) AS paid,
              if(id %% 4 = 0, NULL, 'city ' || id) AS city, CAST('photo ' || id AS BINARY) AS photo,
              array(float(id), float(-0.5), float(1e-3)) AS taste, array(id) AS last%3$s
            FROM range(%4$d)"""
                .formatted(random.nextInt(10_000), views, added, 1 + random.nextInt(40))));
  }

  @ParameterizedTest
  @EnumSource
  void tensorTablesAreReadByOthers(ValueLayout layout) throws Exception {
    TensorSpec spec =
        TensorSpec.of(DType.FLOAT64, Shape.of(100, 2)).withRowsPerBlock(25).withFill(1.5);
    TensorTable table =
        TestTables.create(
            switch (layout) {
              case ARRAY -> spec;
              case BINARY -> spec.withBinaryValues();
              case COLUMNS -> spec.withFeatures("left", "right");
            });
    for (int step = 0; step < STEPS / 2; step++) {
      table.scatter(
          Scatter.add(),
          spark.sql(
              "SELECT bigint(rand(%d) * 100) AS i0, array(rand(1), id / 3D) AS value FROM range(%d)"
                  .formatted(random.nextInt(10_000), 1 + random.nextInt(30))),
          TensorColumns.of("value", "i0"));
      check(table.iceberg(), table.name());
    }
    table.compact();
    check(table.iceberg(), table.name());
    assertThat(readByDuckDb).as("seed " + seed).isPositive();
  }

  private void check(Table table, String name) throws Exception {
    table.refresh();
    List<String> expected = ForeignReaders.spark(spark.table(name));
    assertThat(ForeignReaders.iceberg(table)).as("seed " + seed).isEqualTo(expected);
    if (ForeignReaders.isReadByFiles(table)) {
      readByDuckDb++;
      assertThat(ForeignReaders.duckDb(table)).as("seed " + seed).isEqualTo(expected);
    }
  }
}
