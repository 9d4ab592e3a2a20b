/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.rows.RowUpdates;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.spark.MapStage;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The shuffle of a scatter's updates from the rows of a Dataset to the partitions that own them.
 *
 * @param batches the shuffled batches, in the order that the scatter needs for a bit-exact result
 * @param rowErrors collects the errors of invalid rows
 * @param isSampled whether the map side samples destinations
 */
public record ShuffledUpdates(
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches,
    Pieces pieces,
    BatchShuffle.Order order,
    RowErrors rowErrors,
    ScatterMetricsAccumulator accumulator,
    boolean isSampled) {

  /**
   * The tensor that updates are sent to.
   *
   * @param slices if not null, only updates of these slices are sent, and {@code pieces} are those
   *     of the slices by their places in the set
   * @param isReadAgain whether several jobs read the updates, which must be the same for all
   */
  public record Target(
      SparkSession spark,
      DType dtype,
      Shape shape,
      String kernel,
      @Nullable SliceSet slices,
      boolean isReadAgain) {
    public Target(
        SparkSession spark, DType dtype, Shape shape, String kernel, @Nullable SliceSet slices) {
      this(spark, dtype, shape, kernel, slices, false);
    }

    public Target(SparkSession spark, DType dtype, Shape shape, String kernel) {
      this(spark, dtype, shape, kernel, null);
    }

    /** Returns the same target of updates that several jobs read. */
    public Target readAgain() {
      return new Target(spark, dtype, shape, kernel, slices, true);
    }

    private JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shuffled(
        JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches, int partitions, BatchShuffle.Order order) {
      Storage storage = dtype.storage();
      return isReadAgain
          ? BatchShuffle.shuffle(batches, partitions, storage, order)
          : BatchShuffle.byReference(batches, partitions, storage, order);
    }
  }

  /**
   * Plans the shuffle of {@code rows} to the tensor {@code to}.
   *
   * @param pieces maps the number of elements of a slice to the pieces of slices
   * @throws io.sparknd.tensor.SparkNdException if the columns do not fit the tensor
   */
  public static ShuffledUpdates of(
      Target to,
      Scatter how,
      Dataset<Row> rows,
      TensorColumns columns,
      LongFunction<Pieces> pieces) {
    return of(to, how, rows, columns, pieces, any -> Optional.empty());
  }

  /**
   * Plans the shuffle of {@code rows} to the tensor {@code to}, and samples destinations if the
   * scatter may be skewed.
   *
   * @param samplers the samplers of destinations in map tasks; empty if none are needed
   * @throws io.sparknd.tensor.SparkNdException if the columns do not fit the tensor
   */
  public static ShuffledUpdates of(
      Target to,
      Scatter how,
      Dataset<Row> rows,
      TensorColumns columns,
      LongFunction<Pieces> pieces,
      Function<Pieces, Optional<DestinationSampler.Factory>> samplers) {
    DType dtype = to.dtype();
    ScatterCall.check(how, dtype);
    int depth = columns.indices().size();
    IndexPlan plan = Indexing.tuples().plan(to.shape(), Shape.of(0, depth));
    RowErrors rowErrors = RowErrors.registered(to.spark(), to.shape().first(depth), to.slices());
    JavaRDD<NumberedRows> updates =
        RowUpdates.of(dtype, plan, how.indices(), rows, columns, rowErrors, to.slices());
    Pieces owned = pieces.apply(plan.slice().elements());
    Optional<DestinationSampler.Factory> sampled = samplers.apply(owned);
    ScatterMetricsAccumulator accumulator = ScatterMetricsAccumulator.registered(to.spark());
    MapSideCombine combining = MapSideCombine.of(how, dtype, to.kernel()).orElse(null);
    ScatterMapTask source =
        new ScatterMapTask(dtype, combining, owned, accumulator, sampled.orElse(null));
    BatchShuffle.Order order = BatchShuffle.Order.of(how, dtype);
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> batches =
        to.shuffled(PartitionTasks.numbered(updates, source), owned.partitions(), order);
    return new ShuffledUpdates(batches, owned, order, rowErrors, accumulator, sampled.isPresent());
  }

  /**
   * Runs the map side, as {@link #runMapSide}, while {@code work} runs.
   *
   * @return the result of {@code work}, whose errors come first
   * @throws io.sparknd.tensor.SparkNdException for the first invalid row
   */
  public <T> T runMapSideDuring(Supplier<T> work) {
    T result;
    try {
      result = MapStage.runDuring(batches, work);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
    rowErrors.throwFirst();
    return result;
  }

  /**
   * Runs the map side, which finds all invalid rows.
   *
   * @throws io.sparknd.tensor.SparkNdException for the first invalid row
   */
  public void runMapSide() {
    try {
      MapStage.run(batches);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
    rowErrors.throwFirst();
  }
}
