/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.fold.TensorScatter;
import io.sparknd.cluster.gather.RowGather;
import io.sparknd.cluster.layout.TensorBlocks;
import io.sparknd.cluster.layout.TensorSource;
import io.sparknd.cluster.tables.SliceRows;
import io.sparknd.cluster.tables.TableSource;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.storage.StorageLevel;

/**
 * Scatters and gathers from tables to rows, as the operators of SQL run them: what is read once is
 * not kept, and folded in place. Indices are checked here, before any row comes out.
 *
 * @param rows each valid only until the next is asked for
 * @param scatter what the map side of a scatter did
 * @param kept to be closed once the rows have been read
 */
public record TableQuery(
    JavaRDD<InternalRow> rows, Optional<ScatterMetrics> scatter, List<DistributedTensor> kept) {

  /**
   * The rows of {@code indices}, each with its slice in one more column.
   *
   * @param indexColumns of {@code indices}, which has no column {@code value}
   * @throws io.sparknd.tensor.SparkNdException as {@link DistributedTensor#gather(Gather, Dataset,
   *     List)}
   */
  public static TableQuery gather(
      TableTensor params, Gather how, Dataset<Row> indices, List<String> indexColumns) {
    TensorBlocks tensor = TableSource.once(params);
    JavaRDD<InternalRow> joined =
        RowGather.of(tensor, Strategy.AUTO, how, indices, indexColumns).joined();
    return new TableQuery(joined, Optional.empty(), List.of(new DistributedTensor(tensor)));
  }

  /**
   * The slices of {@code tensor} after the updates: a row each, as {@link
   * DistributedTensor#toDataset}.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link DistributedTensor#scatter(Scatter,
   *     Dataset, TensorColumns)}
   */
  public static TableQuery scatter(
      TableTensor tensor,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      FoldListener listener) {
    return scattered(TableSource.once(tensor), tensor.columns(), how, updates, columns, listener);
  }

  /** As above, into zeros. */
  public static TableQuery scatterIntoZeros(
      DType dtype,
      Shape shape,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      FoldListener listener) {
    TensorBlocks zeros =
        TensorSource.filled(updates.sparkSession(), dtype, shape, null, Partitioning.AUTO);
    return scattered(zeros, columns, how, updates, columns, listener);
  }

  private static TableQuery scattered(
      TensorBlocks tensor,
      TensorColumns shown,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      FoldListener listener) {
    boolean isKept = !tensor.rdd().getStorageLevel().equals(StorageLevel.NONE());
    TensorScatter scatter =
        TensorScatter.of(
            tensor,
            how,
            updates,
            columns,
            fold -> (isKept ? fold : fold.inPlace()).heardBy(listener));
    TensorBlocks next = scatter.once(how.duplicates());
    return new TableQuery(
        SliceRows.rows(next, shown.indices().size()),
        Optional.of(next.metrics()),
        kept(how.duplicates() == Duplicates.ERROR ? List.of(tensor, next) : List.of(tensor)));
  }

  private static List<DistributedTensor> kept(List<TensorBlocks> tensors) {
    return tensors.stream().map(DistributedTensor::new).toList();
  }
}
