/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.KeyedUpdates;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.shuffle.ShuffledUpdates;
import io.sparknd.cluster.internal.spark.MapStage;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.DenseIdDirectory;
import io.sparknd.embedding.internal.rows.OwnerBinner;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.Tuple2;

/**
 * Validated gradients from the rows of a Dataset, shuffled to the partitions that own the table
 * rows.
 *
 * @param rowErrors accumulator of row errors; tasks that are retried report to it, too
 */
record ShuffledGradients(JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches, RowErrors rowErrors) {

  /**
   * Shuffles gradients to the owners of their rows and validates them.
   *
   * @throws io.sparknd.tensor.SparkNdException for unusable columns, and for the first unusable row
   */
  static ShuffledGradients of(EmbeddingTable table, Dataset<Row> gradients, TensorColumns columns) {
    if (columns.indices().size() != 1) {
      throw EmbeddingErrors.notOneIdColumn(columns.indices());
    }
    ShuffledGradients sent =
        table.directory() instanceof DenseIdDirectory dense
            ? numbered(table, dense, gradients, columns)
            : keyed(table, gradients, columns);
    try {
      MapStage.run(sent.batches());
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
    sent.rowErrors().throwFirst();
    return sent;
  }

  private static ShuffledGradients numbered(
      EmbeddingTable table,
      DenseIdDirectory directory,
      Dataset<Row> gradients,
      TensorColumns columns) {
    Pieces pieces = new Pieces(directory.partitioner(), 1, table.dim());
    Shape shape = Shape.of(table.rows(), table.dim());
    ShuffledUpdates sent =
        ShuffledUpdates.of(
            new ShuffledUpdates.Target(table.spark(), DType.FLOAT32, shape, "auto").readAgain(),
            Scatter.add(),
            gradients,
            columns,
            elements -> pieces);
    return new ShuffledGradients(sent.batches(), sent.rowErrors());
  }

  private static ShuffledGradients keyed(
      EmbeddingTable table, Dataset<Row> gradients, TensorColumns columns) {
    RowErrors rowErrors = RowErrors.registered(table.spark(), Shape.of());
    RowDirectory directory = table.directory();
    int dim = table.dim();
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches =
        KeyedUpdates.of(DType.FLOAT32, Shape.of(dim), gradients, columns, rowErrors)
            .mapPartitionsWithIndex(
                (source, chunks) -> new OwnerBinner(source, chunks, directory, Storage.FLOAT, dim),
                false);
    return new ShuffledGradients(
        BatchShuffle.shuffle(
            batches, table.partitions(), Storage.FLOAT, BatchShuffle.Order.AS_SENT),
        rowErrors);
  }
}
