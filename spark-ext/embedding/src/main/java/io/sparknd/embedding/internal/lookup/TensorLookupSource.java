/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.gather.RequestedSlices;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/** The rows of a tensor, {@code [rows, ...]}, as a lookup source. */
public record TensorLookupSource(TensorBlocks tensor) implements LookupSource {
  private IndexPlan plan() {
    return Indexing.tuples().plan(tensor.shape(), Shape.of(0, 1));
  }

  @Override
  public SparkSession spark() {
    return tensor.spark();
  }

  @Override
  public DType dtype() {
    return tensor.dtype();
  }

  @Override
  public Shape slice() {
    return plan().slice();
  }

  @Override
  public Optional<TupleOffset> tuples(IndexPolicy policy) {
    return Optional.of(new TupleOffset(plan(), policy));
  }

  @Override
  public RequestedSlices requested(int windowBytes, int mostSlots) {
    return RequestedSlices.of(tensor, slice(), windowBytes, mostSlots);
  }

  @Override
  public <T, R> JavaRDD<R> joined(
      RequestedSlices requested,
      JavaRDD<T> lists,
      RequestedSlices.Requester<T> requester,
      RequestedSlices.Joiner<T, R> joiner) {
    return requested.joined(tensor, lists, requester, joiner);
  }

  @Override
  public String toString() {
    return tensor.toString();
  }
}
