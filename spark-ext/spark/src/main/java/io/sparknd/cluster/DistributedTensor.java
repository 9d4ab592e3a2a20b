/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.arrow.ArrowTensorWriter;
import io.sparknd.cluster.internal.files.NpySource;
import io.sparknd.cluster.internal.files.SavedTensor;
import io.sparknd.cluster.internal.files.TensorSink;
import io.sparknd.cluster.internal.gather.RowGather;
import io.sparknd.cluster.internal.gather.TensorGather;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.scatter.LayoutShuffle;
import io.sparknd.cluster.internal.scatter.TensorScatter;
import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.internal.tables.SliceRows;
import io.sparknd.cluster.internal.tables.TableSource;
import io.sparknd.cluster.internal.version.VersionHandle;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A tensor whose blocks are partitioned over a Spark cluster. It is immutable, like {@link Tensor}:
 * a scatter makes a new version that shares every block it does not touch.
 *
 * <p>Results are bit-identical to those of {@link io.sparknd.kernel.Kernels} on one machine, at
 * every partition count and after retries or lost executors. A scatter runs at once: the call
 * throws its errors, and a failed call leaves nothing behind. A gather runs when its result is
 * used.
 *
 * <p>Blocks are persisted in memory and spill to disk. {@link #close} releases them.
 */
public final class DistributedTensor implements AutoCloseable {
  private final TensorBlocks blocks;
  private final GatherStrategy strategy;
  private final VersionHandle handle;

  DistributedTensor(TensorBlocks blocks) {
    this(blocks, GatherStrategy.AUTO, new VersionHandle(blocks.rdd()));
  }

  private DistributedTensor(TensorBlocks blocks, GatherStrategy strategy, VersionHandle handle) {
    this.blocks = blocks;
    this.strategy = strategy;
    this.handle = handle;
  }

  /**
   * Wraps blocks that another part of the engine made. Not public API.
   *
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // Javadoc has the tag
  public static DistributedTensor of(TensorBlocks blocks) {
    return new DistributedTensor(blocks);
  }

  /**
   * Returns a tensor of zeros, of false, or of empty strings. Blocks take no memory until written.
   */
  public static DistributedTensor zeros(
      SparkSession spark, DType dtype, Shape shape, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(TensorSource.filled(spark, dtype, shape, null, partitioning));
  }

  /**
   * Returns a tensor with {@code value} everywhere. Blocks take no memory until written.
   *
   * @param value as for {@link Tensor#fill}
   */
  public static DistributedTensor fill(
      SparkSession spark, DType dtype, Shape shape, Object value, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(TensorSource.filled(spark, dtype, shape, value, partitioning));
  }

  /** Returns a tensor with the current elements of a local tensor. */
  public static DistributedTensor of(SparkSession spark, Tensor tensor, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(TensorSource.local(spark, tensor, partitioning));
  }

  /**
   * Reads the tensor in an {@code .npy} file of any size and order. The executors read it in
   * parallel.
   *
   * @param file a path or URI that every executor can read. The file must not change: a lost
   *     partition is read again
   * @throws io.sparknd.tensor.SparkNdException if it is not an {@code .npy} file, or is truncated
   */
  public static DistributedTensor fromNpy(
      SparkSession spark, String file, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(NpySource.open(spark, file, null, partitioning));
  }

  /**
   * Reads the tensor in an {@code .npy} file, like {@link #fromNpy(SparkSession, String,
   * Partitioning)}, but reinterprets its elements as {@code as}, as {@link
   * io.sparknd.tensor.Npy#read(Path, DType)} does: for example, bfloat16 from a file of uint16.
   */
  public static DistributedTensor fromNpy(
      SparkSession spark, String file, DType as, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(NpySource.open(spark, file, as, partitioning));
  }

  /**
   * Builds a tensor from the rows of a table or query. Slices without a row are zero. Two rows of
   * one slice are an error, as {@link io.sparknd.op.Duplicates#ERROR}; to allow them, scatter into
   * {@link #zeros}.
   *
   * <p>Slices stay where they are read, without a shuffle, if {@code partitioning} leaves the
   * number of partitions open, the rows come from files or a cache (with filters and projections at
   * most), and every task reads sorted ranges of indices that no other task has. The tensor then
   * has one partition for each task that had rows. A pass over the index columns checks this. Rows
   * are shuffled if there are fewer tasks than cores, or if one task would hold more than about 128
   * MiB of the tensor. The table must not change: a lost partition is read again.
   *
   * @param rows index columns and a value column of slices {@code shape[k:]}
   * @throws io.sparknd.tensor.SparkNdException as {@link #scatter(Scatter, Dataset,
   *     TensorColumns)}, or if the table changes while it is read
   */
  public static DistributedTensor fromDataset(
      Dataset<Row> rows,
      TensorColumns columns,
      DType dtype,
      Shape shape,
      Partitioning partitioning) {
    SparkVersion.check();
    SparkContext context = rows.sparkSession().sparkContext();
    String call = dtype + shape.toString() + ": fromDataset";
    try (JobDescription shown = JobDescription.of(context, call)) {
      return new DistributedTensor(TableSource.of(rows, columns, dtype, shape, partitioning));
    }
  }

  /**
   * Loads the tensor that {@link #save} wrote to {@code directory}.
   *
   * @param partitioning the number of partitions; blocks keep the size that they were saved with
   */
  public static DistributedTensor load(
      SparkSession spark, String directory, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(SavedTensor.load(spark, directory, partitioning));
  }

  public DType dtype() {
    return blocks.dtype();
  }

  public Shape shape() {
    return blocks.shape();
  }

  /** Returns the number of Spark partitions that hold the blocks. */
  public int partitions() {
    return blocks.layout().partitions();
  }

  /**
   * Returns a new version with the updates of {@code call}, which the driver holds.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link ScatterCall#plan} and the call's policies
   *     say, before any job runs
   */
  public DistributedTensor scatter(ScatterCall call) {
    try (JobDescription shown = described("scatter")) {
      return next(TensorScatter.of(blocks(), call).run());
    }
  }

  /**
   * Returns a new version with updates from the rows of a table or query. The updates do not pass
   * through the driver.
   *
   * <p>Duplicates apply in the order that {@code columns} specifies, else in row order: by
   * partition, then by position in it. Spark keeps that order for the rows of one file and for
   * ranges, through filters and projections. After a shuffle, a join or an aggregation there is
   * none, and several files come by size, the largest first, or from an Iceberg table in any order;
   * specify an order there.
   *
   * <p>Slices that get far more updates than others may be folded by separate tasks: see {@code
   * spark.sparknd.skewBytes} in docs/explanation/semantics.md.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or of the wrong type, or a
   *     row has a null, a value of another length or an index that {@code how} does not allow; the
   *     message names the first such row
   */
  public DistributedTensor scatter(Scatter how, Dataset<Row> updates, TensorColumns columns) {
    try (JobDescription shown = described("scatter")) {
      return next(TensorScatter.of(blocks(), how, updates, columns).run());
    }
  }

  /** Describes the jobs of a call to Spark, unless the caller has. */
  private JobDescription described(String call) {
    return JobDescription.of(blocks.spark().sparkContext(), this + ": " + call);
  }

  /** Returns a version whose gathers use this version's strategy. */
  private DistributedTensor next(TensorBlocks next) {
    return new DistributedTensor(next, strategy, new VersionHandle(next.rdd()));
  }

  /** Returns the metrics of the scatter that made this version; empty if no scatter made it. */
  public Optional<ScatterMetrics> metrics() {
    return Optional.ofNullable(blocks.metrics());
  }

  /**
   * Returns a tensor with the same blocks whose gathers by rows of Datasets use strategy {@code
   * how}. Versions made from it use it too. {@link #close} closes both tensors.
   */
  public DistributedTensor withStrategy(GatherStrategy how) {
    Objects.requireNonNull(how, "how");
    return new DistributedTensor(blocks, how, handle);
  }

  /**
   * Returns the slices that {@code call} names, as a tensor of shape {@link
   * io.sparknd.op.IndexPlan#updates}, with this tensor's number of partitions and the default
   * strategy.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link GatherCall#plan} and the call's policies
   *     say, before any job runs
   */
  public DistributedTensor gather(GatherCall call) {
    return new DistributedTensor(TensorGather.run(blocks(), call));
  }

  /**
   * Returns the rows of {@code indices}, each with the slice that its index columns name in an
   * added column, {@code value}: a scalar, or arrays nested as deep as the slice.
   *
   * <p>The {@link GatherStrategy} determines what moves, and so the partitions and the order of the
   * result. Rows keep theirs only with {@link GatherStrategy#BROADCAST_TENSOR} and {@link
   * GatherStrategy#SHUFFLE_SLICES}.
   *
   * @param indexColumns integer columns, outermost dimension first
   * @throws io.sparknd.tensor.SparkNdException if a column is missing or not an integer, if a row
   *     has a null or an index that {@code how} does not allow, or if the requested strategy cannot
   *     broadcast that much. All rows are checked before the result is returned; the message names
   *     the first bad row
   */
  public Dataset<Row> gather(Gather how, Dataset<Row> indices, List<String> indexColumns) {
    try (JobDescription shown = described("gather")) {
      return RowGather.of(blocks(), strategy, how, indices, indexColumns).run();
    }
  }

  /**
   * Returns the whole tensor on the driver.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is too large for one array, or {@link #close}
   *     released blocks that cannot be recomputed
   */
  public Tensor collect() {
    try (JobDescription shown = described("collect")) {
      return TensorSink.collect(blocks());
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  /**
   * Returns one row for each slice {@code shape[depth:]}: {@code depth} bigint columns {@code i0,
   * i1, ...}, and {@code value}, a scalar or arrays nested as deep as the slice. The order of rows
   * is undefined. SQL types follow {@link io.sparknd.cluster.internal.columnar.SqlTypes}.
   *
   * @param depth the number of index columns, at most the rank
   */
  public Dataset<Row> toDataset(int depth) {
    return SliceRows.of(blocks(), depth);
  }

  /**
   * Writes an Arrow IPC stream of {@code arrow.fixed_shape_tensor} rows to {@code out}, in bounded
   * driver memory. It does not close {@code out}.
   */
  public void toArrow(OutputStream out) throws IOException {
    try (JobDescription shown = described("toArrow");
        ArrowTensorWriter writer = new ArrowTensorWriter(out, dtype(), shape())) {
      TensorSink.forEachBlock(
          blocks(), block -> writer.append(block, 0, TensorSink.units(blocks, block)));
    }
  }

  /**
   * Writes an {@code .npy} file on the driver's machine, in bounded driver memory. All strings of
   * an {@code .npy} file are as wide as the longest, so a tensor of strings is read twice.
   */
  public void toNpy(Path file) {
    try (JobDescription shown = described("toNpy")) {
      TensorSink.toNpy(blocks(), file);
    }
  }

  /**
   * Writes the tensor to a new directory, one file for each partition, for {@link #load} at any
   * partition count. The directory holds a tensor once the last file, {@code tensor.json}, exists.
   *
   * @param directory a path or URI that every executor can write to; must not exist, or be empty
   */
  public void save(String directory) {
    try (JobDescription shown = described("save")) {
      SavedTensor.save(blocks(), directory);
    }
  }

  /** Returns the same tensor in another partitioning. */
  public DistributedTensor repartition(Partitioning partitioning) {
    return next(LayoutShuffle.run(blocks(), partitioning));
  }

  /**
   * Truncates the lineage, so that earlier versions can be released. If the Spark context has a
   * checkpoint directory, this is a reliable checkpoint. Otherwise the blocks stay in executors'
   * memory and on disk: two copies on different executors, or one if Spark runs in local mode or
   * with one executor. If every executor that holds a copy is lost, later use fails with an error,
   * never a wrong result.
   */
  public DistributedTensor checkpoint() {
    VersionLineage.checkpoint(blocks().rdd());
    return this;
  }

  /**
   * Releases the memory and disk of this version's own blocks. Every later call that needs them
   * fails with condition {@code SPARKND_VERSION_CLOSED}. Versions and Datasets made from this one
   * stay valid: blocks that they need from it are recomputed, unless their lineage was truncated.
   * On a cluster, a version whose own lineage was truncated without a checkpoint directory stays
   * cached as long as versions made from it exist.
   */
  @Override
  public void close() {
    handle.close();
  }

  /**
   * Returns the tensor's blocks, for other parts of the engine. Not public API.
   *
   * @throws io.sparknd.tensor.SparkNdException if the tensor is closed
   * @hidden
   */
  @SuppressWarnings("InvalidBlockTag") // Javadoc has the tag
  public TensorBlocks blocks() {
    handle.checkOpen(this);
    return blocks;
  }

  /** Returns dtype, shape and partitions, as in {@code float32[1000000, 64] in 8 partitions}. */
  @Override
  public String toString() {
    return blocks.toString();
  }
}
