/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lookup;

import io.sparknd.cluster.gather.RequestedSlices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/** What rows are looked up in. */
public sealed interface LookupSource permits TensorRows, EmbeddingTableRows {
  SparkSession spark();

  DType dtype();

  /** Shape of a row. */
  Shape slice();

  /** Turns ids into numbers of rows; empty where ids are keys, each of which has a row. */
  Optional<TupleOffset> tuples(IndexPolicy policy);

  /** Windows of at most {@code windowBytes} and {@code mostSlots}, but one row at least. */
  RequestedSlices asked(int windowBytes, int mostSlots);

  /** The elements of {@code lists}, joined in their partitions and order with rows. */
  <T, R> JavaRDD<R> joined(
      RequestedSlices asked,
      JavaRDD<T> lists,
      RequestedSlices.Asker<T> asker,
      RequestedSlices.Joiner<T, R> joiner);
}
