/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Scatter;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests commits whose updates of a block take more memory than the block, so that tasks fold them
 * as they arrive. The bits are those of the same scatters of the tensor in memory.
 */
class FoldedCommitTest {
  /** Updates of floats of a task are not combined before the shuffle; these take over 16 MiB. */
  private static final int UPDATES = 1_200_000;

  private static final int PER_BLOCK = 500;

  /** Rows of the first block that have updates. */
  private static final int TOUCHED = 400;

  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  /**
   * Updates of the first block, in an order that floating point sums show, and a few of the last.
   */
  private static Dataset<Row> updates() {
    return TestTables.spark()
        .range(0, UPDATES, 1, 3)
        .selectExpr(
            "IF(id % 450000 = 7, "
                + (3 * PER_BLOCK - 1)
                + ", pmod(id * 7919, "
                + TOUCHED
                + ")) AS i0",
            "array(float(id / 7), float(id % 1000 / 1e3), float(1e8 / (id + 1)), -0.0f) AS value");
  }

  private static Dataset<Row> stored(int first, int count) {
    return TestTables.spark()
        .range(first, first + count)
        .selectExpr("id AS i0", "array(float(id), 0.1f, -0.0f, -0.0f) AS value");
  }

  private static TensorSpec spec() {
    return TensorSpec.of(DType.FLOAT32, Shape.of(3 * PER_BLOCK, 4))
        .withRowsPerBlock(PER_BLOCK)
        .withFill(-1.5f);
  }

  /** Returns a table whose first block has two files and deleted rows. */
  private static TensorTable table(TensorSpec spec) {
    TensorTable table = TestTables.create(spec);
    table.scatter(Scatter.update(), stored(0, 450), COLUMNS);
    table.scatter(Scatter.add(), stored(300, 3), COLUMNS);
    return table;
  }

  private static Tensor collected(DistributedTensor tensor) {
    try (tensor) {
      return tensor.collect();
    }
  }

  private static void assertHolds(TensorTable table, Tensor expected) {
    TensorAssert.assertSame(collected(table.load(Partitioning.AUTO)), expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge-on-read", "copy-on-write"})
  void sumsAreThoseOfTheTensorInMemory(String mode) {
    TensorTable table = table(spec().withProperty("write.merge.mode", mode));
    DistributedTensor before = table.load(Partitioning.AUTO);
    Tensor expected = collected(before.scatter(Scatter.add(), updates(), COLUMNS));
    TableCommit commit = table.scatter(Scatter.add(), updates(), COLUMNS);
    assertHolds(table, expected);
    assertThat(commit.updates()).isEqualTo(UPDATES);
    assertThat(commit.rows()).isEqualTo(TOUCHED + 1);
    assertThat(table.info().rows()).isEqualTo(450 + 1);
    table.compact();
    assertHolds(table, expected);
  }

  /** No stored value is read. */
  @Test
  void meansWithoutStoredValuesAreThoseOfTheTensorInMemory() {
    TensorTable table = table(spec());
    Scatter mean = Scatter.mean().withSelf(IncludeSelf.EXCLUDED);
    DistributedTensor before = table.load(Partitioning.AUTO);
    Tensor expected = collected(before.scatter(mean, updates(), COLUMNS));
    table.scatter(mean, updates(), COLUMNS);
    assertHolds(table, expected);
  }

  @Test
  void scattersOfOneCommitApplyInTheirOrder() {
    TensorTable table = table(spec());
    Dataset<Row> others = stored(PER_BLOCK - 20, 40);
    Dataset<Row> nan =
        TestTables.spark()
            .sql("SELECT bigint(3) AS i0, array(float('NaN'), -9f, -9f, 0.0f) AS value");
    DistributedTensor tensor = table.load(Partitioning.AUTO);
    for (Dataset<Row> rows : List.of(others, updates(), stored(0, 5))) {
      tensor = tensor.scatter(Scatter.add(), rows, COLUMNS);
      tensor = tensor.scatter(Scatter.min(), nan, COLUMNS);
      tensor = tensor.scatter(Scatter.update(), stored(2, 6), COLUMNS);
    }
    TableWrite write = table.write();
    for (Dataset<Row> rows : List.of(others, updates(), stored(0, 5))) {
      write =
          write
              .scatter(Scatter.add(), rows, COLUMNS)
              .scatter(Scatter.min(), nan, COLUMNS)
              .scatter(Scatter.update(), stored(2, 6), COLUMNS);
    }
    write.commit();
    assertHolds(table, collected(tensor));
  }

  @Test
  void elementsOfRowsAreThoseOfTheTensorInMemory() {
    TensorTable table = table(spec());
    TensorColumns columns = TensorColumns.of("element", "i0", "i1");
    Dataset<Row> elements =
        updates().selectExpr("i0", "pmod(i0 * 31, 4) AS i1", "value[0] AS element");
    DistributedTensor before = table.load(Partitioning.AUTO);
    Tensor expected = collected(before.scatter(Scatter.add(), elements, columns));
    table.scatter(Scatter.add(), elements, columns);
    assertHolds(table, expected);
  }

  @Test
  void duplicatesAreNamed() {
    int rows = 1_000_000;
    TensorTable table =
        TestTables.create(TensorSpec.of(DType.FLOAT64, Shape.of(rows)).withRowsPerBlock(rows));
    Scatter distinct = Scatter.add().withDuplicates(Duplicates.ERROR);
    Dataset<Row> once =
        TestTables.spark().range(rows).selectExpr("id AS i0", "double(id) AS value");
    Dataset<Row> twice = once.union(once.where("i0 = 123456"));
    assertThatThrownBy(() -> table.scatter(distinct, twice, COLUMNS))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("123456");
    assertThat(table.snapshot()).isEmpty();
    assertThat(table.scatter(distinct, once, COLUMNS).rows()).isEqualTo(rows);
    assertThat(table.toDataset().selectExpr("sum(value)").head().getDouble(0))
        .isEqualTo(rows * (rows - 1.0) / 2);
  }
}
