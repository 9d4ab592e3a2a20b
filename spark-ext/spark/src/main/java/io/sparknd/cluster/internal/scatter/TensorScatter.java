/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.shuffle.BroadcastBatches;
import io.sparknd.cluster.internal.shuffle.ScatterMetricsAccumulator;
import io.sparknd.cluster.internal.shuffle.ShuffledUpdates;
import io.sparknd.cluster.internal.skew.HeavyHitterSample;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** One scatter: it sends updates to their owners, which fold them into a new version. */
public final class TensorScatter {
  private static final Logger LOG = LoggerFactory.getLogger(TensorScatter.class);

  private final TensorBlocks tensor;
  private final @Nullable ShuffledUpdates sent;
  private final JavaRDD<TensorPartition> next;
  private final @Nullable RowErrors rowErrors;
  private final ScatterMetricsAccumulator accumulator;

  /**
   * @param tensor the previous version
   * @param sent the shuffled updates; null if the driver holds the updates
   */
  private TensorScatter(
      TensorBlocks tensor,
      @Nullable ShuffledUpdates sent,
      JavaRDD<TensorPartition> next,
      @Nullable RowErrors rowErrors,
      ScatterMetricsAccumulator accumulator) {
    this.tensor = tensor;
    this.sent = sent;
    this.next = next;
    this.rowErrors = rowErrors;
    this.accumulator = accumulator;
  }

  /** Plans a scatter of updates that the driver holds; throws all errors of these. */
  public static TensorScatter of(TensorBlocks tensor, ScatterCall call) {
    IndexPlan plan = call.plan(tensor.dtype(), tensor.shape());
    SliceOffsets resolver = SliceOffsets.of(plan, call.indices(), call.how().indices());
    long[] offsets = resolver.resolveAll();
    if (call.how().duplicates() == Duplicates.ERROR) {
      resolver.rejectDuplicates(offsets);
    }
    Pieces pieces = tensor.layout().pieces(plan.slice().elements());
    Storage storage = tensor.dtype().storage();
    Scatter checked = call.how().withDuplicates(Duplicates.IN_ORDER);
    ScatterMetricsAccumulator accumulator = ScatterMetricsAccumulator.registered(tensor.spark());
    ScatterMetricsAccumulator.Sent sent = sentByDriver(offsets, storage, call.updates().array());
    accumulator.add(sent);
    boolean isSampled = SkewedScatter.isPossible(tensor, checked, pieces, sent.bytes());
    HeavyHitterSample sample = isSampled ? new HeavyHitterSample(pieces.partitions()) : null;
    BroadcastBatches updates =
        BroadcastBatches.updates(
            tensor.spark(), offsets, storage, call.updates().array(), pieces, sample);
    PartitionFold fold =
        new PartitionFold(
                tensor.dtype(), checked, pieces, tensor.kernel(), null, FoldOptions.NEW_VERSION)
            .withMetrics(accumulator);
    if (sample != null) {
      accumulator.add(sample.sample(0));
    }
    JavaRDD<TensorPartition> next =
        SkewedScatter.of(tensor, checked, pieces, accumulator)
            .map(hot -> hot.local(updates, fold))
            .orElseGet(
                () ->
                    PartitionTasks.numbered(tensor.rdd(), new BroadcastUpdateFold(updates, fold)));
    return new TensorScatter(tensor, null, next, null, accumulator);
  }

  /** Returns the metrics of what the driver sends, as if it were one source. */
  private static ScatterMetricsAccumulator.Sent sentByDriver(
      long[] offsets, Storage storage, Object payload) {
    long dropped = Arrays.stream(offsets).filter(offset -> offset == SliceOffsets.DROPPED).count();
    long row = storage.length(payload) / Math.max(1, offsets.length);
    long bytes = Long.BYTES + row * BlockLayout.unitBytes(storage);
    return new ScatterMetricsAccumulator.Sent(
        0, offsets.length, dropped, 0, (offsets.length - dropped) * bytes);
  }

  /** Plans a scatter of the rows of a Dataset; its tasks report errors. */
  public static TensorScatter of(
      TensorBlocks tensor, Scatter how, Dataset<Row> rows, TensorColumns columns) {
    return of(tensor, how, rows, columns, FoldOptions.NEW_VERSION);
  }

  /** Plans a scatter of the rows of a Dataset; its tasks report errors. */
  public static TensorScatter of(
      TensorBlocks tensor,
      Scatter how,
      Dataset<Row> rows,
      TensorColumns columns,
      FoldOptions options) {
    ShuffledUpdates sent =
        ShuffledUpdates.of(
            new ShuffledUpdates.Target(
                tensor.spark(), tensor.dtype(), tensor.shape(), tensor.kernel()),
            how,
            rows,
            columns,
            tensor.layout()::pieces,
            owned ->
                SkewedScatter.isPossible(tensor, how, owned, Long.MAX_VALUE)
                    ? Optional.of(HeavyHitterSample::new)
                    : Optional.empty());
    return of(tensor, how, sent, options);
  }

  /** Plans a scatter of updates whose shuffle is planned. */
  public static TensorScatter of(
      TensorBlocks tensor, Scatter how, ShuffledUpdates sent, FoldOptions options) {
    Pieces pieces = sent.pieces();
    PartitionFold fold =
        new PartitionFold(tensor.dtype(), how, pieces, tensor.kernel(), sent.rowErrors(), options)
            .withMetrics(sent.accumulator());
    if (sent.isSampled()) {
      sent.runMapSide(); // fills the sample
    }
    JavaRDD<TensorPartition> next =
        SkewedScatter.of(tensor, how, pieces, sent.accumulator())
            .map(hot -> hot.shuffled(sent.batches(), sent.order(), fold))
            .orElseGet(() -> PartitionTasks.of(tensor.rdd(), sent.batches(), fold));
    return new TensorScatter(tensor, sent, next, sent.rowErrors(), sent.accumulator());
  }

  /** Words the errors of updates, which {@link #run} throws, in another way. */
  public TensorScatter wordingRowErrors(UnaryOperator<SparkNdException> wording) {
    if (rowErrors != null) {
      rowErrors.worded(wording);
    }
    return this;
  }

  /** Runs the job that computes and caches the new version. */
  public TensorBlocks run() {
    VersionLineage.compute(next, tensor.version() + 1, rowErrors);
    ScatterMetrics metrics = recordMetrics();
    SparkNdMetric.SCATTER_SLOWEST_TASK.add(Math.round(metrics.slowestSeconds() * 1000));
    line(metrics).addKeyValue("kernel", metrics.kernel()).log("Scatter: {}", metrics);
    return tensor.next(next, metrics);
  }

  /**
   * Returns a lazy, uncached new version for single use. Only the map side runs here, and finds all
   * errors; the blocks are computed when they are read. If duplicates are an error, the whole
   * scatter runs here.
   */
  public TensorBlocks once(Duplicates duplicates) {
    if (duplicates == Duplicates.ERROR) {
      return run();
    }
    Objects.requireNonNull(sent).runMapSide();
    return afterMapSide();
  }

  /** Returns the same version as {@link #once} if the map side has run and duplicates are none. */
  public TensorBlocks afterMapSide() {
    ScatterMetrics metrics = recordMetrics();
    line(metrics)
        .log(
            "Scatter, folded when it is read: {} updates, {} dropped, {} combined, {} bytes shuffled",
            metrics.updates(),
            metrics.dropped(),
            metrics.combined(),
            metrics.bytesExchanged());
    return tensor.next(next, metrics);
  }

  private LoggingEventBuilder line(ScatterMetrics metrics) {
    return LOG.atInfo()
        .addKeyValue("tensor", tensor)
        .addKeyValue("updates", metrics.updates())
        .addKeyValue("dropped", metrics.dropped());
  }

  /** Returns the metrics of a successful scatter, and adds them to the global metrics. */
  private ScatterMetrics recordMetrics() {
    ScatterMetrics metrics = accumulator.value();
    SparkNdMetric.SCATTERS.add(1);
    SparkNdMetric.SCATTER_UPDATES.add(metrics.updates());
    SparkNdMetric.SCATTER_DROPPED.add(metrics.dropped());
    SparkNdMetric.SCATTER_COMBINED.add(metrics.combined());
    SparkNdMetric.SCATTER_BYTES.add(metrics.bytesExchanged());
    SparkNdMetric.SCATTER_BLOCKS.add(metrics.blocksCopied());
    SparkNdMetric.SCATTER_HOT_SLICES.add(metrics.hotSlices());
    return metrics;
  }
}
