/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.SneakyThrow;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.op.Gather;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.Shape;
import java.util.Collections;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gather whose indices are columns of a Dataset.
 *
 * @param requested the requested strategy
 * @param rows rows with the indices
 * @param indices the index columns
 * @param join appends slices to rows
 */
public record RowGather(
    TensorBlocks tensor,
    GatherStrategy requested,
    Dataset<Row> rows,
    IndexColumns indices,
    SliceJoin join) {
  private static final Logger LOG = LoggerFactory.getLogger(RowGather.class);

  /**
   * Checks the arguments and plans the gather.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#gather(Gather, Dataset, List)}, before any job
   */
  public static RowGather of(
      TensorBlocks tensor,
      GatherStrategy requested,
      Gather how,
      Dataset<Row> rows,
      List<String> indexColumns) {
    int depth = indexColumns.size();
    IndexPlan plan = Indexing.tuples().plan(tensor.shape(), Shape.of(0, depth));
    TupleOffset tuples = new TupleOffset(plan, how.indices());
    IndexColumns indices = IndexColumns.of(rows, indexColumns, tuples);
    Pieces pieces = tensor.layout().pieces(plan.slice().elements());
    SliceJoin join = SliceJoin.of(tensor.dtype(), plan.slice(), pieces, how, rows);
    return new RowGather(tensor, requested, rows, indices, join);
  }

  /** Checks all rows in a job and returns them with their slices. */
  public Dataset<Row> run() {
    return InternalRows.toDataset(tensor.spark(), joined(), join.schema());
  }

  /** Checks all rows in a job and returns them with their slices, as internal rows. */
  public JavaRDD<InternalRow> joined() {
    try {
      JavaRDD<InternalRow> joined =
          indexRows().getNumPartitions() == 0 ? indexRows() : joined(StrategyChoice.of(this));
      SparkNdMetric.GATHERS.add(1);
      return joined;
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private JavaRDD<InternalRow> joined(StrategyChoice choice) {
    LOG.atInfo()
        .addKeyValue("tensor", tensor)
        .addKeyValue("strategy", choice.strategy())
        .log("gather from {}: {}", tensor, choice);
    JavaRDD<InternalRow> joined =
        switch (choice.strategy()) {
          case SHUFFLE_INDICES -> ShuffledIndices.joined(this);
          case BROADCAST_INDICES ->
              choice.isEstimated()
                  ? BroadcastIndices.joinedIfFew(this)
                      .orElseGet(() -> joined(choice.instead(GatherStrategy.SHUFFLE_INDICES)))
                  : BroadcastIndices.joined(this);
          case BROADCAST_TENSOR -> BroadcastTensor.joined(this);
          case SHUFFLE_SLICES -> ShuffledSlices.joined(this);
          case AUTO -> throw new AssertionError("AUTO is no choice");
        };
    return joined.name() == null ? joined.setName(choice.strategy() + " of " + tensor) : joined;
  }

  /** Returns the index rows; each is valid only until the next is read. */
  JavaRDD<InternalRow> indexRows() {
    return InternalRows.of(rows);
  }

  RowErrors rowErrors() {
    return RowErrors.registered(tensor.spark(), tensor.shape().first(indices.ordinals().size()));
  }

  /**
   * Checks the indices of all rows in a job.
   *
   * @param columns index columns of {@code checked}
   * @throws io.sparknd.tensor.SparkNdException for the first row with an error
   */
  void check(JavaRDD<InternalRow> checked, IndexColumns columns) {
    RowErrors rowErrors = rowErrors();
    PartitionTasks.run(
        checked.mapPartitionsWithIndex(
            (source, it) -> {
              it.forEachRemaining(columns.in(source, rowErrors)::offset);
              return Collections.emptyIterator();
            },
            false));
    rowErrors.throwFirst();
  }

  /**
   * Collects an RDD on the driver.
   *
   * @param what its elements, for the error
   * @throws io.sparknd.tensor.SparkNdException if they exceed {@link #maxResultBytes}
   */
  <T> List<T> collected(JavaRDD<T> rdd, String what) {
    try {
      return PartitionTasks.collected(rdd);
    } catch (Exception e) {
      throw TaskErrors.isOfLargeResults(e)
          ? ClusterErrors.tooLargeToBroadcast(what, maxResultBytes())
          : SneakyThrow.thrown(e);
    }
  }

  /** Returns the most bytes that tasks may send to the driver. */
  long maxResultBytes() {
    long most = context().getConf().getSizeAsBytes("spark.driver.maxResultSize", "1g");
    return most == 0 ? Long.MAX_VALUE - 1 : most;
  }

  JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(tensor.spark().sparkContext());
  }
}
