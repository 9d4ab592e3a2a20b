/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.BlockLayout.Pieces;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.op.Offsets;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.Tuple2;

/** One scatter: updates to their owners, folded there into a new version. */
final class TensorScatter {
  private final DistributedTensor tensor;
  private final Scatter how;
  private final IndexPlan plan;
  private final JavaRDD<UpdateChunk> updates;
  private final Refusals refusals;

  private TensorScatter(
      DistributedTensor tensor,
      Scatter how,
      IndexPlan plan,
      JavaRDD<UpdateChunk> updates,
      Refusals refusals) {
    this.tensor = tensor;
    this.how = how;
    this.plan = plan;
    this.updates = updates;
    this.refusals = refusals;
  }

  /** Updates that the driver holds; all their errors come from here. */
  static TensorScatter of(DistributedTensor tensor, ScatterCall call) {
    IndexPlan plan = call.plan(tensor.dtype(), tensor.shape());
    Offsets resolver = Offsets.of(plan, call.indices(), call.how().indices());
    long[] offsets = resolver.resolveAll();
    if (call.how().duplicates() == Duplicates.ERROR) {
      resolver.refuseDuplicates(offsets);
    }
    JavaRDD<UpdateChunk> updates =
        LocalUpdates.of(
                tensor.spark(),
                offsets,
                tensor.dtype().storage(),
                call.updates().array(),
                (int) plan.slice().elements() * tensor.dtype().units())
            .rdd();
    Scatter checked = call.how().withDuplicates(Duplicates.IN_ORDER);
    return new TensorScatter(tensor, checked, plan, updates, null);
  }

  /** Updates in the rows of a Dataset; tasks report their errors. */
  static TensorScatter of(
      DistributedTensor tensor, Scatter how, Dataset<Row> rows, TensorColumns columns) {
    ScatterCall.check(how, tensor.dtype());
    int depth = columns.indices().size();
    IndexPlan plan = Indexing.tuples().plan(tensor.shape(), Shape.of(0, depth));
    Refusals refusals = Refusals.registered(tensor.spark(), tensor.shape().first(depth));
    JavaRDD<UpdateChunk> updates =
        RowUpdates.of(tensor.dtype(), plan, how.indices(), rows, columns, refusals);
    return new TensorScatter(tensor, how, plan, updates, refusals);
  }

  /**
   * Runs the job.
   *
   * @return the blocks of the new version, computed and kept
   */
  JavaRDD<TensorPartition> run(int version) {
    JavaRDD<TensorPartition> next = fold(tensor.rdd());
    Lineage.keep(next, version);
    try {
      Lineage.materialize(next);
    } catch (RuntimeException e) {
      next.unpersist(false);
      throw TaskErrors.unwrapped(e);
    }
    refused()
        .ifPresent(
            error -> {
              next.unpersist(false);
              throw error;
            });
    return next;
  }

  private Optional<SparkNdException> refused() {
    return refusals == null ? Optional.empty() : refusals.value();
  }

  private JavaRDD<TensorPartition> fold(JavaRDD<TensorPartition> parent) {
    DType dtype = tensor.dtype();
    Storage storage = dtype.storage();
    Pieces pieces = tensor.layout().pieces(plan.slice().elements());
    JavaRDD<Tuple2<BatchKey, UpdateBatch>> batches =
        Exchange.shuffle(
            updates.mapPartitionsWithIndex(
                (source, chunks) -> new Binner(source, chunks, storage, pieces), false),
            pieces.partitions(),
            storage,
            Exchange.Order.of(how, dtype));
    return parent.zipPartitions(
        batches, new PartitionFold(dtype, how, pieces, tensor.kernel(), refusals));
  }
}
