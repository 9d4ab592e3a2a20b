/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests commits of many scatters. */
class ManyScattersTest {
  private final SparkSession spark = TestTables.spark();

  private Dataset<Row> one(String columns) {
    return spark.range(0, 1, 1, 1).selectExpr(columns.split("; "));
  }

  private long sum(String table) {
    return spark.sql("SELECT sum(value) FROM " + table).head().getLong(0);
  }

  /** Spark serializes lineage by recursion, so the stack bounds its depth. */
  @Test
  @Tag("slow")
  void intoATensorTable() {
    int scatters = 1_000;
    TensorTable table = TestTables.create(TensorSpec.of(DType.INT64, Shape.of(4)));
    TableWrite write = table.write();
    for (int i = 0; i < scatters; i++) {
      Dataset<Row> update = one(i % 4 + "L AS i0; " + i + "L AS value");
      write = write.scatter(Scatter.add(), update, TensorColumns.of("value", "i0"));
    }
    assertThat(write.commit().updates()).isEqualTo(scatters);
    assertThat(sum(table.name())).isEqualTo(scatters * (scatters - 1L) / 2);
  }

  private FeatureTable features() {
    return FeatureTable.create(
        spark,
        TestTables.name(),
        FeatureTableSpec.keyedBy("id", "bigint")
            .with(Variable.of("value", "bigint").reducedBy(VariableReduction.add()))
            .with(Variable.of("name", "string"))
            .withBuckets(2));
  }

  @Test
  @Tag("slow")
  void intoAFeatureTable() {
    int scatters = 200;
    FeatureTable table = features();
    FeatureWrite write = table.write();
    for (int i = 0; i < scatters; i++) {
      write = write.scatter(one(i % 4 + "L AS id; " + i + "L AS value"));
    }
    assertThat(write.commit().updates()).isEqualTo(scatters);
    assertThat(sum(table.name())).isEqualTo(scatters * (scatters - 1L) / 2);
  }

  /** Scatters with the same columns, ordered or not, and with others in between. */
  @Test
  void eachScatterOfACommitHasItsOwnOrder() {
    FeatureTable table = features();
    FeatureUpdates byAt = FeatureUpdates.of("name").orderedBy("at");
    table
        .write()
        .scatter(rows("(1L, 2L, 'late'), (1L, 1L, 'early')"), byAt)
        .scatter(rows("(2L, 2L, 'late'), (2L, 1L, 'early')").drop("at"))
        .scatter(rows("(3L, 1L, 'early'), (3L, 2L, 'late'), (1L, 0L, 'last')"), byAt)
        .scatter(one("1L AS id; 5L AS value"))
        .scatter(rows("(4L, 2L, 'x'), (4L, 1L, 'y'), (3L, 0L, 'z')").drop("at"))
        .commit();
    assertThat(
            spark
                .sql("SELECT id, value, name FROM " + table.name() + " ORDER BY id")
                .collectAsList())
        .extracting(Row::toString)
        .containsExactly("[1,5,last]", "[2,null,early]", "[3,null,z]", "[4,null,y]");
  }

  private Dataset<Row> rows(String values) {
    return spark.sql("SELECT * FROM VALUES " + values + " AS v(id, at, name)").coalesce(1);
  }
}
