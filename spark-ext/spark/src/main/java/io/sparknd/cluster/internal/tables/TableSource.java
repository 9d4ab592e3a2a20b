/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.rows.RowErrorSink;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.rows.RowUpdates;
import io.sparknd.cluster.internal.scan.TablePlan;
import io.sparknd.cluster.internal.scatter.TensorScatter;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.RddPartitionSubset;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Creates tensors from the rows of a table; rows that are sorted stay in their input partitions.
 */
public final class TableSource {
  private final Dataset<Row> rows;
  private final TensorColumns columns;
  private final DType dtype;
  private final Shape shape;
  private final @Nullable Object fill;
  private final Partitioning partitioning;

  private TableSource(
      Dataset<Row> rows,
      TensorColumns columns,
      DType dtype,
      Shape shape,
      @Nullable Object fill,
      Partitioning partitioning) {
    this.rows = rows;
    this.columns = columns;
    this.dtype = dtype;
    this.shape = shape;
    this.fill = fill;
    this.partitioning = partitioning;
  }

  public static TensorBlocks of(
      Dataset<Row> rows,
      TensorColumns columns,
      DType dtype,
      Shape shape,
      Partitioning partitioning) {
    TableSource source = new TableSource(rows, columns, dtype, shape, null, partitioning);
    return source.layout(rows, null).map(source::adopted).orElseGet(source::shuffled);
  }

  /**
   * Returns a tensor for single use. If its rows stay in their input partitions, it is lazy and
   * uncached: their indices are checked here, and an unusable value fails its task.
   */
  public static TensorBlocks once(TableTensor table) {
    TableSource source =
        new TableSource(
            table.rows(),
            table.columns(),
            table.dtype(),
            table.shape(),
            table.fill(),
            Partitioning.AUTO);
    return source.once(table.indices());
  }

  private TensorBlocks once(Optional<Dataset<Row>> indexRows) {
    RowErrors rowErrors = rowErrors();
    Optional<TableLayout> layout = indexRows.flatMap(indices -> layout(indices, rowErrors));
    if (layout.isEmpty()) {
      return shuffled();
    }
    rowErrors.throwFirst();
    JavaRDD<TensorPartition> partitions = filled(layout.get(), RowErrorSink.THROW);
    return TensorBlocks.of(spark(), layout.get().layout(), partitions);
  }

  private TensorBlocks shuffled() {
    Scatter once = Scatter.update().withDuplicates(Duplicates.ERROR);
    TensorBlocks filled = TensorSource.filled(spark(), dtype, shape, fill, partitioning);
    return TensorScatter.of(filled, once, rows, columns)
        .wordingRowErrors(TensorRowErrors.of(rows.schema()))
        .run();
  }

  private SparkSession spark() {
    return rows.sparkSession();
  }

  private IndexPlan plan() {
    return Indexing.tuples().plan(shape, Shape.of(0, columns.indices().size()));
  }

  /** Returns the layout of the table's own partitions, if the tensor can adopt it. */
  private Optional<TableLayout> layout(Dataset<Row> indices, @Nullable RowErrorSink rowErrors) {
    boolean free = partitioning.partitions() == 0 && columns.orderBy().isEmpty();
    if (!free || shape.elements() == 0 || !TablePlan.isScan(indices)) {
      return Optional.empty();
    }
    List<long[]> runs =
        PartitionTasks.collected(
            RowUpdates.offsets(plan(), IndexPolicy.STRICT, indices, columns, rowErrors)
                .mapPartitions(
                    chunks -> Collections.singleton(AscendingRuns.of(chunks)).iterator()));
    BlockLayout usual = TensorSource.layout(rows.sparkSession(), dtype, shape, partitioning);
    int parallelism = rows.sparkSession().sparkContext().defaultParallelism();
    return TableLayout.of(usual, plan().slice().elements(), runs, parallelism);
  }

  private TensorBlocks adopted(TableLayout table) {
    RowErrors rowErrors = rowErrors();
    JavaRDD<TensorPartition> partitions = filled(table, rowErrors);
    VersionLineage.compute(partitions, 0, rowErrors);
    return TensorBlocks.of(rows.sparkSession(), table.layout(), partitions);
  }

  private RowErrors rowErrors() {
    return RowErrors.registered(rows.sparkSession(), shape.first(columns.indices().size()))
        .worded(TensorRowErrors.of(rows.schema()));
  }

  private JavaRDD<TensorPartition> filled(TableLayout table, @Nullable RowErrorSink rowErrors) {
    long sliceElements = plan().slice().elements();
    @Nullable Object otherwise = fill;
    JavaRDD<TensorPartition> filled =
        RowUpdates.of(dtype, plan(), IndexPolicy.STRICT, rows, columns, rowErrors)
            .mapPartitionsWithIndex(
                (input, chunks) ->
                    Collections.singleton(
                            RangeFill.partition(table, input, chunks, sliceElements, otherwise))
                        .iterator(),
                false);
    // Spark lists input partitions without rows, such as splits inside a row group
    return RddPartitionSubset.only(filled, table.inputs());
  }
}
