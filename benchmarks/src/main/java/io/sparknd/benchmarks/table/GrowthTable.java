/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Locale;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Tables of eight int64 a row, with the layout that they have by default. */
enum GrowthTable {
  /** String keys and eight counters. */
  FEATURE {
    @Override
    Dataset<Row> rows(Dataset<Row> ids, int salt) {
      return KeyedInputs.withValues(KeyedInputs.keys(ids), VALUES, salt);
    }

    @Override
    void create(SparkSession spark, String table, long rows) {
      FeatureTableSpec spec = FeatureTableSpec.keyedBy("key", "string").withExpectedRows(rows);
      FeatureTable.create(spark, table, VALUES.with(spec));
    }

    @Override
    void commit(SparkSession spark, String table, Dataset<Row> updates) {
      FeatureTable.open(spark, table).scatter(updates);
    }

    @Override
    String sum() {
      return "sum(" + String.join(" + ", VALUES.names()) + ")";
    }
  },

  /** A tensor {@code [rows, 8]}. */
  TENSOR {
    @Override
    Dataset<Row> rows(Dataset<Row> ids, int salt) {
      Column[] elements = VALUES.draw(functions.hash(col("id")), salt).toArray(Column[]::new);
      return ids.select(col("id").as("i0"), array(elements).as("value"));
    }

    @Override
    void create(SparkSession spark, String table, long rows) {
      TensorTable.create(spark, table, TensorSpec.of(DType.INT64, Shape.of(rows, VALUES.width())));
    }

    @Override
    void commit(SparkSession spark, String table, Dataset<Row> updates) {
      TensorTable.open(spark, table).scatter(Scatter.add(), updates, COLUMNS);
    }

    @Override
    String sum() {
      return "sum(aggregate(value, 0L, (a, b) -> a + b))";
    }
  };

  private static final KeyedValues VALUES = KeyedValues.COUNTERS;
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  /**
   * Returns updates.
   *
   * @param ids numbers of rows, a column {@code id}
   * @param salt other values for each salt
   */
  abstract Dataset<Row> rows(Dataset<Row> ids, int salt);

  /** Creates a table without rows. */
  abstract void create(SparkSession spark, String table, long rows);

  /** Adds updates in one commit. */
  abstract void commit(SparkSession spark, String table, Dataset<Row> updates);

  /** SQL for the sum of all values. */
  abstract String sum();

  /** Such as {@code 1k-feature-10M}. */
  String id(long rows) {
    return "1k-" + this + "-" + KeyedChange.size(rows);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
