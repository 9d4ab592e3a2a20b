/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.table.Change.Reduction;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** SparkND's tensor table. */
final class TensorStore extends LakeStore implements Store {
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  private final SparkSession spark;
  private final TableInputs inputs;

  TensorStore(SparkSession spark, TableInputs inputs, Mode mode) {
    super(mode, new Lake(spark, "tensor_" + mode.suffix()));
    this.spark = spark;
    this.inputs = inputs;
  }

  @Override
  public String name() {
    return "TensorTable.scatter, " + mode();
  }

  @Override
  public Role role() {
    return Role.OURS;
  }

  @Override
  public void create(Layout layout, int rows) {
    lake().drop();
    TensorSpec spec =
        TensorSpec.of(DType.FLOAT32, Shape.of(rows, Layout.WIDTH))
            .withProperty(Mode.PROPERTY, mode().toString());
    TensorTable table =
        TensorTable.create(
            spark, lake().name(), layout == Layout.BINARY ? spec.withBinaryValues() : spec);
    table.scatter(
        Scatter.update(), inputs.table(Layout.ARRAY, rows, table.info().rowsPerBlock()), COLUMNS);
    lake().keep();
  }

  /** The rows per block, which also define the partitions of the other tables. */
  long rowsPerBlock() {
    return TensorTable.open(spark, lake().name()).info().rowsPerBlock();
  }

  @Override
  public void update(Change change, Dataset<Row> updates) {
    Scatter how = change.reduction() == Reduction.NONE ? Scatter.update() : Scatter.add();
    TensorTable.open(spark, lake().name()).scatter(how, updates, COLUMNS);
  }

  /** Returns {@code ARRAY}: updates are arrays in every layout of the table. */
  @Override
  public Layout updateLayout(Change change) {
    return Layout.ARRAY;
  }

  @Override
  public String table() {
    return lake().name();
  }
}
