/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.op.Scatter;
import io.sparknd.sql.GatherNd;
import io.sparknd.sql.ScatterNd;
import io.sparknd.sql.TensorScatterNd;
import io.sparknd.tensor.Shape;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Metrics of {@link Dataset#observe} below an operation count each row once. */
class ObservedRowsTest {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final String SETTING = "spark.sparknd.strategy";
  private static final Shape SHAPE = Shape.of(1000);

  /** Large enough for AUTO to broadcast the tensor. */
  private static final long ROWS = 200_000;

  private static Dataset<Row> tensor() {
    return SPARK.range(0, SHAPE.dim(0), 1, 3).selectExpr("id AS i0", "id * 2 AS value");
  }

  /** Returns the rows that are counted below a query. */
  private static long observed(long rows, UnaryOperator<Dataset<Row>> query)
      throws InterruptedException {
    Observation seen = new Observation("rows " + UUID.randomUUID());
    Dataset<Row> observed =
        SPARK.range(0, rows, 1, 4).selectExpr("id % 1000 AS i0").observe(seen, count(lit(1)));
    query.apply(observed).collectAsList();
    return (Long) seen.getAsJava().values().iterator().next();
  }

  private static Dataset<Row> gathered(Dataset<Row> rows) {
    return GatherNd.of(tensor(), rows).withShape(SHAPE).toDataset();
  }

  @AfterEach
  void unset() {
    SPARK.conf().unset(SETTING);
  }

  /** {@code BROADCAST_TENSOR} says that it reads rows twice. */
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BROADCAST_TENSOR")
  void gathersCountRowsOnce(GatherStrategy strategy) throws InterruptedException {
    SPARK.conf().set(SETTING, strategy.name());
    assertThat(observed(ROWS, ObservedRowsTest::gathered)).isEqualTo(ROWS);
    assertThat(observed(9, ObservedRowsTest::gathered)).isEqualTo(9);
  }

  /** Rows behind a shuffle are not computed twice: the tensor is broadcast. */
  @Test
  void shuffledRowsAreReadTwiceAndCountedOnce() throws InterruptedException {
    assertThat(observed(ROWS, rows -> gathered(rows.repartition(3)))).isEqualTo(ROWS);
  }

  @Test
  void scattersCountRowsOnce() throws InterruptedException {
    UnaryOperator<Dataset<Row>> intoZeros =
        rows -> ScatterNd.of(rows.selectExpr("i0", "i0 AS value"), SHAPE).toDataset();
    UnaryOperator<Dataset<Row>> intoTensor =
        rows ->
            TensorScatterNd.of(Scatter.add(), tensor(), rows.selectExpr("i0", "i0 AS value"))
                .withShape(SHAPE)
                .toDataset();
    assertThat(observed(ROWS, intoZeros)).isEqualTo(ROWS);
    assertThat(observed(ROWS, intoTensor)).isEqualTo(ROWS);
  }
}
