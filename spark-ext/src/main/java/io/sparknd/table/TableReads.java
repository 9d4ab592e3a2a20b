/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.Partitioning;
import io.sparknd.cluster.TensorColumns;
import io.sparknd.cluster.gather.KeptGather;
import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.block.TableRows;
import io.sparknd.table.block.TableSlices;
import io.sparknd.table.file.RowFormat;
import io.sparknd.table.store.BlockFiles;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** The ways to read a table at a snapshot. */
final class TableReads {
  /** Data files that a task reads, in bytes. */
  private static final long TASK_BYTES = 64L << 20;

  private TableReads() {}

  static Dataset<Row> gather(
      SparkSession spark,
      StoredTensor tensor,
      OptionalLong snapshot,
      Gather how,
      Dataset<Row> indices,
      List<String> indexColumns) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Map<Long, BlockFiles> files = files(tensor, snapshot);
    TableSlices slices =
        new TableSlices(
            tensor.format(),
            context.broadcast(tensor.forTasks()),
            context.broadcast(files),
            tasks(context, files));
    RowFormat rows = tensor.format().rows();
    return new KeptGather(spark, rows.dtype(), rows.shape(), slices)
        .run(how, indices, indexColumns);
  }

  static Dataset<Row> rows(SparkSession spark, StoredTensor tensor, OptionalLong snapshot) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Map<Long, BlockFiles> files = files(tensor, snapshot);
    Broadcast<StoredTensor> toTasks = context.broadcast(tensor.forTasks());
    JavaRDD<InternalRow> rows =
        context
            .parallelize(List.copyOf(files.values()), tasks(context, files))
            .mapPartitions(blocks -> new TableRows(toTasks.value(), blocks));
    return InternalRows.toDataset(spark, rows, TableRows.schema(tensor.format().rows()));
  }

  static DistributedTensor load(
      SparkSession spark, StoredTensor tensor, OptionalLong snapshot, Partitioning partitioning) {
    RowFormat format = tensor.format().rows();
    Dataset<Row> rows = rows(spark, tensor, snapshot);
    StructType schema = rows.schema();
    TensorColumns columns =
        TensorColumns.of(
            schema.fieldNames()[schema.length() - 1], format.indexColumns().toArray(String[]::new));
    try (DistributedTensor filled = filled(spark, tensor, partitioning)) {
      return filled.scatter(Scatter.update(), rows, columns);
    }
  }

  /** As before anything was written. Blocks take no memory, unless features differ. */
  private static DistributedTensor filled(
      SparkSession spark, StoredTensor tensor, Partitioning partitioning) {
    RowFormat format = tensor.format().rows();
    Tensor fill = tensor.format().fill();
    DistributedTensor filled =
        DistributedTensor.fill(
            spark, format.dtype(), format.shape(), fill.element(0), partitioning);
    if (fill.elements() == 1) {
      return filled;
    }
    int depth = format.indexColumns().size();
    String[] indices = IntStream.range(0, depth).mapToObj(d -> "i" + d).toArray(String[]::new);
    try (filled) {
      // a gather of every row: those that were never written come as features are filled
      Dataset<Row> rows =
          gather(
              spark,
              tensor,
              OptionalLong.empty(),
              Gather.strict(),
              coordinates(spark, format.outer()),
              List.of(indices));
      return filled.scatter(Scatter.update(), rows, TensorColumns.of("value", indices));
    }
  }

  /** Every index of {@code shape}, in columns i0, i1 and so on. */
  private static Dataset<Row> coordinates(SparkSession spark, Shape shape) {
    String[] columns = new String[shape.rank()];
    for (int d = 0; d < columns.length; d++) {
      long stride = shape.from(d + 1).elements();
      columns[d] = "id div " + stride + " % " + shape.dim(d) + " AS i" + d;
    }
    return spark.range(shape.elements()).selectExpr(columns);
  }

  private static Map<Long, BlockFiles> files(StoredTensor tensor, OptionalLong snapshot) {
    return tensor.files(snapshot.isEmpty() ? null : snapshot.getAsLong());
  }

  private static int tasks(JavaSparkContext context, Map<Long, BlockFiles> files) {
    long bytes = files.values().stream().mapToLong(BlockFiles::bytes).sum();
    long bySize = bytes / TASK_BYTES + 1;
    return (int)
        Math.max(1, Math.min(files.size(), Math.max(context.defaultParallelism(), bySize)));
  }
}
