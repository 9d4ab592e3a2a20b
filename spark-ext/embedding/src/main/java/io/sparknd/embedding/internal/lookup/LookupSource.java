/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.gather.RequestedSlices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/** A source of rows for lookups. */
public sealed interface LookupSource permits TensorLookupSource, EmbeddingLookupSource {
  SparkSession spark();

  DType dtype();

  /** Returns the shape of a row. */
  Shape slice();

  /**
   * Returns the conversion of ids to row numbers; empty if ids are keys, each of which has a row.
   *
   * @throws io.sparknd.tensor.SparkNdException if ids are keys and the policy is not {@link
   *     IndexPolicy#STRICT}
   */
  Optional<TupleOffset> tuples(IndexPolicy policy);

  /** Returns windows of at most {@code windowBytes} and {@code mostSlots}, but at least one row. */
  RequestedSlices requested(int windowBytes, int mostSlots);

  /** Joins the elements of {@code lists} with rows, in the same partitions and order. */
  <T, R> JavaRDD<R> joined(
      RequestedSlices requested,
      JavaRDD<T> lists,
      RequestedSlices.Requester<T> requester,
      RequestedSlices.Joiner<T, R> joiner);
}
