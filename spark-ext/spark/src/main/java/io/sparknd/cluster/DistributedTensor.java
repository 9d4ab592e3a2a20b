/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.arrow.ArrowTensorWriter;
import io.sparknd.cluster.files.NpySource;
import io.sparknd.cluster.files.SavedTensor;
import io.sparknd.cluster.files.TensorSink;
import io.sparknd.cluster.fold.LayoutShuffle;
import io.sparknd.cluster.fold.TensorScatter;
import io.sparknd.cluster.fold.VersionHandle;
import io.sparknd.cluster.fold.VersionLineage;
import io.sparknd.cluster.gather.RowGather;
import io.sparknd.cluster.gather.TensorGather;
import io.sparknd.cluster.layout.TensorBlocks;
import io.sparknd.cluster.layout.TensorSource;
import io.sparknd.cluster.spark.PartitionTasks;
import io.sparknd.cluster.spark.SparkVersion;
import io.sparknd.cluster.spark.TaskErrors;
import io.sparknd.cluster.tables.SliceRows;
import io.sparknd.cluster.tables.TableSource;
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
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A tensor whose blocks are spread over the partitions of a Spark cluster. A value, like {@link
 * Tensor}: a scatter makes a new version that shares every block it does not touch.
 *
 * <p>Results are the same to the last bit as those of {@link io.sparknd.kernel.Kernels} on one
 * machine, whatever the number of partitions, retries or lost executors. A scatter runs at once, so
 * that its errors belong to the call and a call that fails leaves nothing behind; a gather runs
 * when its result is used.
 *
 * <p>Blocks are kept in memory and, where that is short, on disk. {@link #close} gives them back.
 */
public final class DistributedTensor implements AutoCloseable {
  private final TensorBlocks blocks;
  private final Strategy strategy;
  private final VersionHandle handle;

  DistributedTensor(TensorBlocks blocks) {
    this(blocks, Strategy.AUTO, new VersionHandle(blocks.rdd()));
  }

  private DistributedTensor(TensorBlocks blocks, Strategy strategy, VersionHandle handle) {
    this.blocks = blocks;
    this.strategy = strategy;
    this.handle = handle;
  }

  /** A tensor that other parts of the engine made. */
  public static DistributedTensor of(TensorBlocks blocks) {
    return new DistributedTensor(blocks);
  }

  /** A tensor of zeros, of false, or of empty strings; blocks take no memory until written. */
  public static DistributedTensor zeros(
      SparkSession spark, DType dtype, Shape shape, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(TensorSource.filled(spark, dtype, shape, null, partitioning));
  }

  /**
   * A tensor with {@code value} everywhere; blocks take no memory until written.
   *
   * @param value as for {@link Tensor#fill}
   */
  public static DistributedTensor fill(
      SparkSession spark, DType dtype, Shape shape, Object value, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(TensorSource.filled(spark, dtype, shape, value, partitioning));
  }

  /** The elements of a local tensor, as they are now. */
  public static DistributedTensor of(SparkSession spark, Tensor tensor, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(TensorSource.local(spark, tensor, partitioning));
  }

  /**
   * The tensor in an {@code .npy} file of any size and order, which executors read in pieces.
   *
   * @param file a path or URI that every executor can read; read again when a partition is lost, so
   *     it must not change meanwhile
   * @throws io.sparknd.tensor.SparkNdException if it is no {@code .npy} file, or is cut short
   */
  public static DistributedTensor fromNpy(
      SparkSession spark, String file, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(NpySource.open(spark, file, null, partitioning));
  }

  /**
   * As {@link #fromNpy(SparkSession, String, Partitioning)}, with elements read as {@code as}, as
   * {@link io.sparknd.tensor.Npy#read(Path, DType)} does: bfloat16 from a file of uint16, for one.
   */
  public static DistributedTensor fromNpy(
      SparkSession spark, String file, DType as, Partitioning partitioning) {
    SparkVersion.check();
    return new DistributedTensor(NpySource.open(spark, file, as, partitioning));
  }

  /**
   * The tensor that the rows of a table or query spell out, zero where there is no row. Two rows of
   * one slice are an error, as {@link io.sparknd.op.Duplicates#ERROR}; scatter into {@link #zeros}
   * to allow them.
   *
   * <p>Where {@code partitioning} leaves the number of partitions open, the rows are those of files
   * or cached (filtered and projected at most), and every task reads ranges of indices that no
   * other task has, sorted, each slice stays where it is read: no shuffle, and as many partitions
   * as tasks had rows. A pass over the index columns finds out. Rows are shuffled if the tasks are
   * fewer than cores, or one would hold more than about 128 MiB of the tensor. A partition that is
   * lost is read again: the table must not change meanwhile.
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
    return new DistributedTensor(TableSource.of(rows, columns, dtype, shape, partitioning));
  }

  /**
   * The tensor that {@link #save} wrote to {@code directory}.
   *
   * @param partitioning how many partitions; blocks keep the size that they were saved with
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

  /** The Spark partitions that hold the blocks. */
  public int partitions() {
    return blocks.layout().partitions();
  }

  /**
   * A new version with the updates of {@code call}, which the driver holds.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link ScatterCall#plan} and the call's policies
   *     say, before any job runs
   */
  public DistributedTensor scatter(ScatterCall call) {
    return next(TensorScatter.of(blocks(), call));
  }

  /**
   * A new version with updates from the rows of a table or query; they never pass the driver.
   *
   * <p>Duplicates apply in the order that {@code columns} asks for, else in the order of the rows:
   * by partition, then as they come. Spark keeps that order for files and ranges and through
   * filters and projections, not after a shuffle, a join or an aggregation; give an order there.
   *
   * <p>Slices that get far more updates than others may be folded by tasks of their own: {@code
   * spark.sparknd.skewBytes}, in docs/semantics.md.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or of the wrong type, or a
   *     row has a null, a value of another length or an index that {@code how} refuses; of several
   *     the first row is named
   */
  public DistributedTensor scatter(Scatter how, Dataset<Row> updates, TensorColumns columns) {
    return next(TensorScatter.of(blocks(), how, updates, columns));
  }

  private DistributedTensor next(TensorScatter scatter) {
    TensorBlocks next = scatter.run();
    return new DistributedTensor(next, strategy, new VersionHandle(next.rdd()));
  }

  /** What the scatter that made this version did; empty for a tensor that no scatter made. */
  public Optional<ScatterMetrics> metrics() {
    return Optional.ofNullable(blocks.metrics());
  }

  /**
   * The same blocks, gathered from by the rows of Datasets in this way; so are the versions that
   * come of it. {@link #close} closes both.
   */
  public DistributedTensor withStrategy(Strategy how) {
    Objects.requireNonNull(how, "how");
    return new DistributedTensor(blocks, how, handle);
  }

  /**
   * The slices that {@code call} names, as a tensor of shape {@link
   * io.sparknd.op.IndexPlan#updates}, partitioned like this one.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link GatherCall#plan} and the call's policies
   *     say, before any job runs
   */
  public DistributedTensor gather(GatherCall call) {
    return new DistributedTensor(TensorGather.run(blocks(), call));
  }

  /**
   * The rows of {@code indices}, each with the slice that its index columns name in one more
   * column, {@code value}: a scalar, or arrays nested as deep as the slice.
   *
   * <p>What moves, and so the partitions and the order that rows come out in, is for the {@link
   * Strategy} to say: rows keep theirs with {@link Strategy#BROADCAST_TENSOR} and {@link
   * Strategy#SHUFFLE_SLICES}, and with no other.
   *
   * @param indexColumns integer columns, outermost dimension first
   * @throws io.sparknd.tensor.SparkNdException if a column is missing or no integer, or a row has a
   *     null or an index that {@code how} refuses (all rows are looked at before the result is
   *     returned, and the first such row is named), or the strategy asked for cannot broadcast so
   *     much
   */
  public Dataset<Row> gather(Gather how, Dataset<Row> indices, List<String> indexColumns) {
    return RowGather.of(blocks(), strategy, how, indices, indexColumns).run();
  }

  /**
   * The whole tensor on the driver.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is too large for one array, or {@link #close}
   *     gave back blocks that nothing can compute again
   */
  public Tensor collect() {
    try {
      return TensorSink.collect(blocks());
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  /**
   * One row a slice {@code shape[depth:]}: {@code depth} columns {@code i0, i1, ...} of bigint, and
   * {@code value}, a scalar or arrays nested as deep as the slice. The order of rows is not
   * defined. SQL types follow {@link SqlTypes}.
   *
   * @param depth index columns, at most the rank
   */
  public Dataset<Row> toDataset(int depth) {
    return SliceRows.of(blocks(), depth);
  }

  /**
   * Writes an Arrow IPC stream of {@code arrow.fixed_shape_tensor} rows to {@code out}, which is
   * left open, in bounded driver memory.
   */
  public void toArrow(OutputStream out) throws IOException {
    try (ArrowTensorWriter writer = new ArrowTensorWriter(out, dtype(), shape())) {
      TensorSink.forEachBlock(
          blocks(), block -> writer.append(block, 0, TensorSink.units(blocks, block)));
    }
  }

  /** Writes an {@code .npy} file on the driver's machine, in bounded driver memory. */
  public void toNpy(Path file) {
    TensorSink.toNpy(blocks(), file);
  }

  /**
   * Writes the tensor to a new directory, each partition its own file, for {@link #load} at any
   * partition count. The directory holds a tensor once the last file, {@code tensor.json}, is
   * there.
   *
   * @param directory a path or URI that every executor can write to; must not exist, or be empty
   */
  public void save(String directory) {
    SavedTensor.save(blocks(), directory);
  }

  /** The same tensor, cut up in another way. */
  public DistributedTensor repartition(Partitioning partitioning) {
    return new DistributedTensor(LayoutShuffle.run(blocks(), partitioning));
  }

  /**
   * Cuts the tensor off from the versions before it, so that they can be forgotten: a reliable
   * checkpoint where the Spark context has a checkpoint directory; else copies in executors' memory
   * and disk, two where there are several machines, which are lost for good (with an error, never a
   * wrong result) when all that hold a copy are.
   */
  public DistributedTensor checkpoint() {
    VersionLineage.cut(blocks().rdd());
    PartitionTasks.run(blocks.rdd());
    return this;
  }

  /**
   * Gives back the memory and disk of this version's own blocks; every later call that needs them
   * is an error, whose condition is {@code SPARKND_VERSION_CLOSED}. Versions and Datasets that came
   * of it stay: what they need of it is computed again, unless it was cut off from the versions
   * before it. On a cluster, one that was cut off is kept as long as there are versions that came
   * of it.
   */
  @Override
  public void close() {
    handle.close();
  }

  /**
   * What the tensor is made of, for other parts of the engine.
   *
   * @throws io.sparknd.tensor.SparkNdException if the tensor was closed
   */
  public TensorBlocks blocks() {
    handle.checkOpen(this);
    return blocks;
  }

  /** Dtype, shape and partitions, as in {@code float32[1000000, 64] in 8 partitions}. */
  @Override
  public String toString() {
    return blocks.toString();
  }
}
