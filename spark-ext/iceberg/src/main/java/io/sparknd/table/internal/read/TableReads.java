/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.read;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.gather.StoredTensorGather;
import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.cluster.internal.tables.TableTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.internal.block.TableSlices;
import io.sparknd.table.internal.block.TensorTableRows;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.options.ValueLayout;
import io.sparknd.table.result.TableInfo;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/** Reads a table at a snapshot, in several forms. */
public final class TableReads {
  /** Bytes of data files that a task should read. */
  private static final long TASK_BYTES = 64L << 20;

  private TableReads() {}

  public static Dataset<Row> gather(
      SparkSession spark,
      StoredTensor tensor,
      OptionalLong snapshot,
      Gather how,
      Dataset<Row> indices,
      List<String> indexColumns) {
    return gatherCall(spark, tensor, snapshot).run(how, indices, indexColumns);
  }

  static StoredTensorGather gatherCall(
      SparkSession spark, StoredTensor tensor, OptionalLong snapshot) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Map<Long, BlockFiles> files = files(tensor, snapshot);
    TableSlices slices =
        new TableSlices(
            tensor.format(),
            context.broadcast(tensor.forTasks(spark)),
            context.broadcast(files),
            tasks(context, files));
    RowFormat rows = tensor.format().rows();
    return new StoredTensorGather(spark, rows.dtype(), rows.shape(), slices);
  }

  public static Dataset<Row> rows(SparkSession spark, StoredTensor tensor, OptionalLong snapshot) {
    return rows(spark, tensor, files(tensor, snapshot));
  }

  private static Dataset<Row> rows(
      SparkSession spark, StoredTensor tensor, Map<Long, BlockFiles> files) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<StoredTensor> toTasks = context.broadcast(tensor.forTasks(spark));
    JavaRDD<InternalRow> rows =
        context
            .parallelize(List.copyOf(files.values()), tasks(context, files))
            .mapPartitions(blocks -> new TensorTableRows(toTasks.value(), blocks));
    return InternalRows.toDataset(spark, rows, TensorTableRows.schema(tensor.format().rows()));
  }

  public static DistributedTensor load(
      SparkSession spark, StoredTensor tensor, OptionalLong snapshot, Partitioning partitioning) {
    TableTensor table = tensor(spark, tensor, snapshot, SliceRange.ALL);
    try (DistributedTensor filled =
        DistributedTensor.fill(
            spark,
            table.dtype(),
            table.shape(),
            Objects.requireNonNull(table.fill()),
            partitioning)) {
      return filled.scatter(Scatter.update(), table.rows(), table.columns());
    }
  }

  /**
   * Returns the tensor as a query of its written rows, or of all rows if features have different
   * fill values.
   *
   * @param range the slices that are used; of the others, only some are read
   */
  static TableTensor tensor(
      SparkSession spark, StoredTensor tensor, OptionalLong snapshot, SliceRange range) {
    RowFormat format = tensor.format().rows();
    Tensor fill = tensor.format().fill();
    Dataset<Row> rows =
        fill.elements() == 1
            ? rows(spark, tensor, files(tensor, snapshot, range))
            : allRows(spark, tensor, snapshot, range);
    String[] columns = rows.columns();
    int depth = columns.length - 1;
    return new TableTensor(
        rows,
        TensorColumns.of(columns[depth], Arrays.copyOf(columns, depth)),
        format.dtype(),
        format.shape(),
        fill.element(0),
        Optional.empty());
  }

  private static Dataset<Row> allRows(
      SparkSession spark, StoredTensor tensor, OptionalLong snapshot, SliceRange range) {
    Dataset<Row> indices = coordinates(spark, tensor.format().rows().outer(), range);
    return gather(spark, tensor, snapshot, Gather.strict(), indices, List.of(indices.columns()));
  }

  public static TableInfo info(StoredTensor tensor, OptionalLong snapshot) {
    RowFormat format = tensor.format().rows();
    Collection<BlockFiles> blocks = files(tensor, snapshot).values();
    return new TableInfo(
        tensor.name(),
        format.dtype(),
        format.shape(),
        ValueLayout.of(format.values()),
        tensor.format().rowsPerBlock(),
        snapshot,
        blocks.size(),
        blocks.stream().mapToLong(BlockFiles::liveRows).sum(),
        blocks.stream().mapToLong(block -> block.files().size()).sum(),
        blocks.stream()
            .flatMap(block -> block.files().stream())
            .mapToLong(file -> file.deletes().size())
            .sum(),
        blocks.stream().mapToLong(BlockFiles::bytes).sum());
  }

  /** Returns the indices of {@code shape} in {@code range}, in columns i0, i1 and so on. */
  private static Dataset<Row> coordinates(SparkSession spark, Shape shape, SliceRange range) {
    String[] columns = new String[shape.rank()];
    for (int d = 0; d < columns.length; d++) {
      long stride = shape.from(d + 1).elements();
      columns[d] = "id div " + stride + " % " + shape.dim(d) + " AS i" + d;
    }
    long end = Math.min(range.end(), shape.elements());
    return spark.range(Math.min(range.first(), end), end).selectExpr(columns);
  }

  private static Map<Long, BlockFiles> files(StoredTensor tensor, OptionalLong snapshot) {
    return tensor.files(snapshot.isEmpty() ? null : snapshot.getAsLong());
  }

  /**
   * Returns the files of the blocks that hold slices of {@code range}, and of blocks outside the
   * tensor: their rows are errors.
   */
  private static Map<Long, BlockFiles> files(
      StoredTensor tensor, OptionalLong snapshot, SliceRange range) {
    Map<Long, BlockFiles> files = files(tensor, snapshot);
    long rows = tensor.format().perBlock();
    long slices = tensor.format().rows().outer().elements();
    files
        .keySet()
        .removeIf(
            block ->
                block >= 0
                    && block <= (slices - 1) / rows
                    && !range.meets(block * rows, (block + 1) * rows));
    return files;
  }

  private static int tasks(JavaSparkContext context, Map<Long, BlockFiles> files) {
    long bytes = files.values().stream().mapToLong(BlockFiles::bytes).sum();
    long bySize = bytes / TASK_BYTES + 1;
    return (int)
        Math.max(1, Math.min(files.size(), Math.max(ClusterCores.of(context.sc()), bySize)));
  }
}
