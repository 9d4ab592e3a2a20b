/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.gather.RequestedSlices;
import io.sparknd.cluster.internal.gather.SliceResponses;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.OwnerBinner;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.TupleOffset;
import io.sparknd.sql.internal.CallNames;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/**
 * The rows of an embedding table as a lookup source. Rows that were never written are generated
 * only if requested.
 *
 * @param count number of rows; 0 if ids are keys
 */
public record EmbeddingLookupSource(
    SparkSession spark,
    RowLayout layout,
    RowDirectory directory,
    long count,
    JavaRDD<EmbeddingPartition> rdd)
    implements LookupSource {
  @Override
  public DType dtype() {
    return layout.dtype();
  }

  @Override
  public Shape slice() {
    return Shape.of(layout.dim());
  }

  @Override
  public Optional<TupleOffset> tuples(IndexPolicy policy) {
    if (count == 0) {
      if (!policy.equals(IndexPolicy.STRICT)) {
        throw EmbeddingErrors.keysHaveNoBounds(
            policy.bad().toString(), CallNames.negative(policy.negative()));
      }
      return Optional.empty();
    }
    IndexPlan plan = Indexing.tuples().plan(Shape.of(count, layout.dim()), Shape.of(0, 1));
    return Optional.of(new TupleOffset(plan, policy));
  }

  @Override
  public RequestedSlices requested(int windowBytes, int mostSlots) {
    Pieces rows = new Pieces(new CyclicBlockPartitioner(1, 1), 1, layout.dim());
    return RequestedSlices.of(dtype(), rows, windowBytes, mostSlots);
  }

  @Override
  public <T, R> JavaRDD<R> joined(
      RequestedSlices requested,
      JavaRDD<T> lists,
      RequestedSlices.Requester<T> requester,
      RequestedSlices.Joiner<T, R> joiner) {
    return requested.joined(this::responses, lists, requester, joiner);
  }

  @Override
  public String toString() {
    return dtype() + " embeddings of " + layout.dim();
  }

  private JavaRDD<NumberedRows> responses(JavaRDD<NumberedRows> slots) {
    RowLayout rows = layout;
    RowDirectory directory = this.directory;
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> requests =
        slots.mapPartitionsWithIndex(
            (partition, chunks) -> {
              Requests placed = new Requests(chunks, RequestedSlices.firstPlace(partition));
              return new OwnerBinner(partition, placed, directory, Storage.LONG, 1);
            },
            false);
    return rdd.zipPartitions(
        BatchShuffle.shuffle(
            requests, directory.partitions(), Storage.LONG, BatchShuffle.Order.AS_SENT),
        (partitions, requested) -> {
          EmbeddingPartition partition = EmbeddingPartition.only(partitions);
          RowReader reader = new RowReader(partition, rows, directory);
          return new SliceResponses(
              requested,
              rows.rowBytes(),
              address -> directory.id(partition.index(), address),
              reader::weights);
        });
  }

  /** Converts slots to row requests; the payload of a request is the place of its slot. */
  private static final class Requests implements Iterator<NumberedRows> {
    private final Iterator<NumberedRows> chunks;
    private long next;

    Requests(Iterator<NumberedRows> chunks, long firstPlace) {
      this.chunks = chunks;
      this.next = firstPlace;
    }

    @Override
    public boolean hasNext() {
      return chunks.hasNext();
    }

    @Override
    public NumberedRows next() {
      NumberedRows chunk = chunks.next();
      long[] places = LongStream.range(next, next + chunk.count()).toArray();
      next += chunk.count();
      return new NumberedRows(chunk.numbers(), chunk.count(), places);
    }
  }
}
