/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.gather.FewSliceJoin;
import io.sparknd.cluster.internal.gather.RowGather;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.rows.RowErrorSink;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.scatter.FoldOptions;
import io.sparknd.cluster.internal.scatter.FoldOptions.Blocks;
import io.sparknd.cluster.internal.scatter.TensorScatter;
import io.sparknd.cluster.internal.version.VersionHandle;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.FoldListener;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Gather;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.Scatter;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * Scatters and gathers from tables to rows, for the SQL operators. Tensors that are read once are
 * not cached, and are folded in place. Indices are checked before any row is returned.
 *
 * @param rows the result; each row is valid only until the next one is requested
 * @param scatter the map-side metrics of a scatter
 * @param toClose tensors to close once the rows have been read
 */
public record TableQuery(
    JavaRDD<InternalRow> rows, Optional<ScatterMetrics> scatter, List<JavaRDD<?>> toClose) {

  /**
   * Returns the rows of {@code indices}, each with its slice in an added column.
   *
   * @param indexColumns columns of {@code indices}, which has no column {@code value}
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#gather(Gather, Dataset, List)}
   */
  public static TableQuery gather(
      TableTensor params, Gather how, Dataset<Row> indices, List<String> indexColumns) {
    TensorBlocks tensor = TableSource.once(params);
    return closedOnFailure(
        tensor,
        () -> {
          JavaRDD<InternalRow> joined =
              RowGather.of(tensor, GatherStrategy.AUTO, how, indices, indexColumns).joined();
          return new TableQuery(joined, Optional.empty(), toClose(List.of(tensor)));
        });
  }

  /**
   * Returns the rows of {@code indices}, each with its slice in an added column, if they name few
   * slices.
   *
   * @param indexColumns columns of {@code indices}, as many as the index columns of {@code params};
   *     every row names one of {@code slices}
   * @param slices the slices that rows can name
   * @throws io.sparknd.tensor.SparkNdException for rows of {@code params} that are errors
   */
  public static TableQuery gather(
      TableTensor params,
      SliceSet slices,
      Gather how,
      Dataset<Row> indices,
      List<String> indexColumns) {
    if (!FewSlices.fit(slices, params.dtype(), params.shape(), indexColumns.size())) {
      return gather(params, how, indices, indexColumns);
    }
    RowGather gather =
        RowGather.of(unread(params), GatherStrategy.AUTO, how, indices, indexColumns);
    JavaRDD<InternalRow> joined = FewSliceJoin.joined(gather, slices, FewSlices.of(params, slices));
    return new TableQuery(joined, Optional.empty(), List.of());
  }

  /**
   * Returns any {@code most} of the rows of {@code indices}, or all if they are fewer, each with
   * its slice in an added column. The rows are read first, then only the slices that they name.
   *
   * @param indexColumns columns of {@code indices}, which has no column {@code value}
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#gather(Gather, Dataset, List)}
   */
  public static TableQuery gather(
      TableTensor params, Gather how, Dataset<Row> indices, List<String> indexColumns, int most) {
    int depth = indexColumns.size();
    return FewSliceJoin.joinedIfFew(
            RowGather.of(unread(params), GatherStrategy.AUTO, how, indices, indexColumns),
            most,
            slices ->
                depth == params.columns().indices().size()
                    && FewSlices.fit(slices, params.dtype(), params.shape(), depth),
            slices -> FewSlices.of(params, slices))
        .map(joined -> new TableQuery(joined, Optional.empty(), List.of()))
        .orElseGet(() -> gather(params, how, indices.limit(most), indexColumns));
  }

  /** Returns a tensor of the shape of {@code params}, whose elements nobody reads. */
  private static TensorBlocks unread(TableTensor params) {
    return TensorSource.filled(
        params.rows().sparkSession(), params.dtype(), params.shape(), null, Partitioning.AUTO);
  }

  /**
   * Returns {@code rows}. The task that reads a row with a bad index fails.
   *
   * @param indexColumns columns of {@code rows}, outermost dimension of {@code shape} first
   * @throws io.sparknd.tensor.SparkNdException if an index column is missing or not an integer
   */
  public static TableQuery checked(
      Dataset<Row> rows, List<String> indexColumns, Shape shape, IndexPolicy policy) {
    IndexPlan plan = Indexing.tuples().plan(shape, Shape.of(0, indexColumns.size()));
    IndexColumns indices = IndexColumns.of(rows, indexColumns, new TupleOffset(plan, policy));
    JavaRDD<InternalRow> checked =
        InternalRows.of(rows)
            .mapPartitionsWithIndex(
                (partition, it) ->
                    new CheckedIndices(it, indices.in(partition, RowErrorSink.THROW)),
                true);
    return new TableQuery(checked, Optional.empty(), List.of());
  }

  /**
   * Returns the slices of {@code tensor} after the updates, one row each, as {@link
   * io.sparknd.cluster.DistributedTensor#toDataset} does.
   *
   * @param range the slices to return
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#scatter(Scatter, Dataset, TensorColumns)}
   */
  public static TableQuery scatter(
      TableTensor tensor,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      SliceRange range,
      FoldListener listener) {
    TensorBlocks read = TableSource.once(tensor);
    return closedOnFailure(
        read, () -> scattered(read, tensor.columns(), how, updates, columns, range, listener));
  }

  /**
   * Returns a few slices of {@code tensor} after the updates, one row each. Other slices are not
   * computed.
   *
   * @param columns columns of the updates, with as many index columns as {@code tensor}
   * @return empty if {@code slices} are too large for one task
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#scatter(Scatter, Dataset, TensorColumns)}
   */
  public static Optional<TableQuery> scatter(
      TableTensor tensor,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      SliceSet slices,
      FoldListener listener) {
    int depth = columns.indices().size();
    return depth == tensor.columns().indices().size()
            && FewSlices.fit(slices, tensor.dtype(), tensor.shape(), depth)
        ? Optional.of(
            new FewSliceScatter(
                    updates.sparkSession(), tensor.dtype(), tensor.shape(), columns, slices)
                .run(how, updates, () -> FewSlices.of(tensor, slices), listener))
        : Optional.empty();
  }

  /**
   * Scatters into a tensor of one value and returns a few of its slices, one row each.
   *
   * @param fill the value; null for zero, false or ""
   * @return empty if {@code slices} are too large for one task
   */
  public static Optional<TableQuery> scatterIntoFilled(
      DType dtype,
      Shape shape,
      @Nullable Object fill,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      SliceSet slices,
      FoldListener listener) {
    int depth = columns.indices().size();
    return FewSlices.fit(slices, dtype, shape, depth)
        ? Optional.of(
            new FewSliceScatter(updates.sparkSession(), dtype, shape, columns, slices)
                .run(
                    how,
                    updates,
                    () -> FewSlices.filled(dtype, shape.from(depth), fill, slices),
                    listener))
        : Optional.empty();
  }

  /**
   * Scatters into a tensor of one value and returns its slices in {@code range}, one row each.
   *
   * @param fill the value; null for zero, false or ""
   */
  public static TableQuery scatterIntoFilled(
      DType dtype,
      Shape shape,
      @Nullable Object fill,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      SliceRange range,
      FoldListener listener) {
    TensorBlocks filled =
        TensorSource.filled(updates.sparkSession(), dtype, shape, fill, Partitioning.AUTO);
    return scattered(filled, columns, how, updates, columns, range, listener);
  }

  /**
   * Returns the slices of zeros in {@code range}, one row each, after a job that checks the indices
   * of updates: what remains of a scatter if nothing uses its slices, and duplicates are no errors.
   *
   * @param shape of the tensor; a slice is one element
   * @param columns columns of the updates, whose values are not read
   * @throws io.sparknd.tensor.SparkNdException for the first row with a bad or null index
   */
  public static TableQuery unused(
      DType dtype,
      Shape shape,
      IndexPolicy policy,
      Dataset<Row> updates,
      TensorColumns columns,
      SliceRange range) {
    ScatterMetrics checked = UpdateCheck.run(shape, policy, updates, columns);
    TensorBlocks zeros =
        TensorSource.filled(updates.sparkSession(), dtype, shape, null, Partitioning.AUTO);
    return new TableQuery(
        SliceRows.rows(zeros, columns.indices().size(), range), Optional.of(checked), List.of());
  }

  private static TableQuery scattered(
      TensorBlocks tensor,
      TensorColumns shown,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      SliceRange range,
      FoldListener listener) {
    boolean isCached = !tensor.rdd().getStorageLevel().equals(StorageLevel.NONE());
    TensorScatter scatter =
        TensorScatter.of(
            tensor,
            how,
            updates,
            columns,
            new FoldOptions(isCached ? Blocks.COPY_ON_WRITE : Blocks.IN_PLACE, listener));
    TensorBlocks next = scatter.once(how.duplicates());
    return new TableQuery(
        SliceRows.rows(next, shown.indices().size(), range),
        Optional.ofNullable(next.metrics()),
        toClose(how.duplicates() == Duplicates.ERROR ? List.of(tensor, next) : List.of(tensor)));
  }

  /** Returns a query that reads {@code tensor}; if it cannot be planned, closes the tensor. */
  private static TableQuery closedOnFailure(TensorBlocks tensor, Supplier<TableQuery> query) {
    try {
      return query.get();
    } catch (Throwable e) { // Spark throws checked exceptions undeclared
      new VersionHandle(tensor.rdd()).close();
      throw e;
    }
  }

  private static List<JavaRDD<?>> toClose(List<TensorBlocks> tensors) {
    return tensors.stream().<JavaRDD<?>>map(TensorBlocks::rdd).toList();
  }
}
