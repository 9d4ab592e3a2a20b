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
  private final JavaRDD<TensorPartition> next;
  private final Refusals refusals;

  private TensorScatter(JavaRDD<TensorPartition> next, Refusals refusals) {
    this.next = next;
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
    Pieces pieces = tensor.layout().pieces(plan.slice().elements());
    Storage storage = tensor.dtype().storage();
    LocalUpdates updates =
        LocalUpdates.updates(tensor.spark(), offsets, storage, call.updates().array(), pieces);
    Scatter checked = call.how().withDuplicates(Duplicates.IN_ORDER);
    PartitionFold fold = new PartitionFold(tensor.dtype(), checked, pieces, tensor.kernel(), null);
    return new TensorScatter(
        tensor
            .rdd()
            .mapPartitionsWithIndex(
                (index, parents) -> fold.call(parents, updates.batches(index)), false),
        null);
  }

  /** Updates in the rows of a Dataset; tasks report their errors. */
  static TensorScatter of(
      DistributedTensor tensor, Scatter how, Dataset<Row> rows, TensorColumns columns) {
    DType dtype = tensor.dtype();
    ScatterCall.check(how, dtype);
    int depth = columns.indices().size();
    IndexPlan plan = Indexing.tuples().plan(tensor.shape(), Shape.of(0, depth));
    Refusals refusals = Refusals.registered(tensor.spark(), tensor.shape().first(depth));
    JavaRDD<UpdateChunk> updates =
        RowUpdates.of(dtype, plan, how.indices(), rows, columns, refusals);
    Pieces pieces = tensor.layout().pieces(plan.slice().elements());
    PartitionFold fold = new PartitionFold(dtype, how, pieces, tensor.kernel(), refusals);
    Combining combining = Combining.of(how, dtype, tensor.kernel()).orElse(null);
    JavaRDD<Tuple2<BatchKey, UpdateBatch>> batches =
        Exchange.shuffle(
            updates.mapPartitionsWithIndex(
                (source, chunks) ->
                    combining == null
                        ? new Binner(source, chunks, dtype.storage(), pieces)
                        : new Binner(source, chunks, combining, pieces),
                false),
            pieces.partitions(),
            dtype.storage(),
            Exchange.Order.of(how, dtype));
    return new TensorScatter(tensor.rdd().zipPartitions(batches, fold), refusals);
  }

  /**
   * Runs the job.
   *
   * @return the blocks of the new version, computed and kept
   */
  JavaRDD<TensorPartition> run(int version) {
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
}
