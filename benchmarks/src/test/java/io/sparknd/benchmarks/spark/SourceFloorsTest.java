/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFloorsTest {
  private static final int ROWS = 1001;

  @TempDir private static Path directory;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = SparkSuite.session();
    spark.sparkContext().setLogLevel("ERROR");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** As the table and the lookups of the suite, which have different columns. */
  private static Dataset<Row> stored(String name, String... columns) {
    String path = directory.resolve(name).toString();
    spark.range(0, ROWS, 1, 2).selectExpr(columns).write().mode("overwrite").parquet(path);
    return spark.read().parquet(path);
  }

  @Test
  void bothSourcesAreReadAndTheSinkGetsTheRowsOfTheResult() {
    Dataset<Row> table = stored("table", "id", "array_repeat(float(id), 64) AS value");
    Dataset<Row> lookups = stored("lookups", "id AS position", "id");
    List<SparkPeer> floors = new SourceFloors(ROWS).ofFiles(() -> table, () -> lookups);
    assertThat(floors)
        .extracting(floor -> rows(floor).count())
        .containsExactly(2L * ROWS, 1L * ROWS);
    assertThat(floors)
        .extracting(floor -> rows(floor).columns())
        .allMatch(columns -> List.of(columns).equals(List.of("position", "id", "value")));
    floors.forEach(SparkPeer::run);
    List<SparkPeer> cached = new SourceFloors(ROWS).ofCached(() -> table, () -> lookups);
    assertThat(rows(cached.get(1)).selectExpr("sum(size(value))").head().getLong(0))
        .isEqualTo(64L * ROWS);
  }

  private static Dataset<Row> rows(SparkPeer floor) {
    return ((FloorQuery) floor).rows().get();
  }

  @Test
  void anExchangeOfBytesLeavesNoFiles(@TempDir Path temporary) {
    Size small = new Size(100, 100, 10_000, QueryRounds.ONCE);
    new FileExchange(new ExchangeRows(spark, small).pairs(), 3, temporary).run();
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void floorsHaveNoAnswerAndComeLast() {
    Size small = new Size(100, 100, 1000, QueryRounds.ONCE);
    List<SparkPeer> all = new Exchanges(spark, small).work().peers().get();
    assertThat(all.get(all.size() - 1).role()).isEqualTo(Role.FLOOR);
    assertThat(all.get(all.size() - 1).answer()).isEmpty();
  }
}
