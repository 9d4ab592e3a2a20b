/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.Partitioning;
import io.sparknd.cluster.TensorColumns;
import io.sparknd.cluster.fold.VersionHandle;
import io.sparknd.cluster.fold.VersionLineage;
import io.sparknd.cluster.layout.BlockLayout;
import io.sparknd.cluster.layout.TensorBlocks;
import io.sparknd.cluster.layout.TensorPartition;
import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.cluster.spark.PartitionTasks;
import io.sparknd.cluster.spark.SparkVersion;
import io.sparknd.embedding.lookup.EmbeddingTableRows;
import io.sparknd.embedding.lookup.RowLookup;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.rows.EmbeddingPartition;
import io.sparknd.embedding.rows.Repartitioner;
import io.sparknd.embedding.rows.RowDirectory;
import io.sparknd.embedding.rows.RowLayout;
import io.sparknd.embedding.rows.RowReader;
import io.sparknd.embedding.rows.WrittenRows;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;

/**
 * Embeddings: rows of weights, {@code [rows, dim]}, and what their optimizer keeps beside each, in
 * partitions of a Spark cluster. A value: training makes a new version, which shares every block of
 * rows that it does not touch.
 *
 * <p>Rows that were never written take no memory, and are what the initializer makes of their ids.
 * So a table may have more rows than the cluster could hold, as long as few are trained. A {@link
 * EmbeddingSpec#keyed} table has no other rows than those that were written: it grows.
 */
public final class EmbeddingTable implements AutoCloseable {
  private final SparkSession spark;
  private final EmbeddingSpec spec;
  private final RowLayout layout;
  private final RowDirectory ids;
  private final JavaRDD<EmbeddingPartition> rdd;
  private final long steps;
  private final int versions;
  private final VersionHandle handle;

  private EmbeddingTable(
      SparkSession spark,
      EmbeddingSpec spec,
      JavaRDD<EmbeddingPartition> rdd,
      long steps,
      int versions) {
    this.spark = spark;
    this.spec = spec;
    this.layout = layout(spec);
    this.ids = RowDirectory.of(layout, spec.rows(), spec.partitions());
    this.rdd = rdd;
    this.steps = steps;
    this.versions = versions;
    this.handle = new VersionHandle(rdd);
  }

  private static RowLayout layout(EmbeddingSpec spec) {
    return new RowLayout(
        spec.dtype(), spec.dim(), spec.optimizer().slots(), spec.initializer(), spec.rounding());
  }

  /**
   * A table of which no row was written yet.
   *
   * @throws io.sparknd.tensor.SparkNdException if weights of the dtype cannot be trained
   */
  public static EmbeddingTable create(SparkSession spark, EmbeddingSpec spec) {
    SparkVersion.check();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    EmbeddingSpec chosen =
        spec.partitions() > 0 ? spec : spec.withPartitions(context.defaultParallelism());
    RowLayout layout = layout(chosen);
    RowDirectory ids = RowDirectory.of(layout, chosen.rows(), chosen.partitions());
    JavaRDD<EmbeddingPartition> rdd =
        context
            .parallelize(
                IntStream.range(0, chosen.partitions()).boxed().toList(), chosen.partitions())
            .map(index -> EmbeddingPartition.empty(layout, ids, index));
    return new EmbeddingTable(spark, chosen, rdd, 0, 0);
  }

  /** A table that was made elsewhere, {@code spec.partitions()} of them. */
  static EmbeddingTable of(
      SparkSession spark, EmbeddingSpec spec, JavaRDD<EmbeddingPartition> rdd, long steps) {
    return new EmbeddingTable(spark, spec, rdd, steps, 0);
  }

  /**
   * The version of this table that {@code next} has.
   *
   * @param versionsThen in its lineage
   */
  EmbeddingTable next(JavaRDD<EmbeddingPartition> next, long stepsThen, int versionsThen) {
    return new EmbeddingTable(spark, spec, next, stepsThen, versionsThen);
  }

  /** Rows of the table; ids are below. 0 where ids are keys: {@link #written} counts their rows. */
  public long rows() {
    return spec.rows();
  }

  /** Weights in a row. */
  public int dim() {
    return spec.dim();
  }

  public DType dtype() {
    return spec.dtype();
  }

  public Optimizer optimizer() {
    return spec.optimizer();
  }

  /** Spark partitions that hold the rows. */
  public int partitions() {
    return spec.partitions();
  }

  /** Steps that the optimizer has made since the table was made. */
  public long steps() {
    return steps;
  }

  /**
   * A training with {@code batches}: set its length, then run it.
   *
   * @param <B> one shard's part of a mini-batch
   */
  public <B> Training<B> train(Batches<B> batches, StepFunction<B> function) {
    return new Training<>(this, batches, function);
  }

  /**
   * The weights, {@code [rows, dim]}, in the partitions of this table. Rows that were never written
   * are made when the tensor is used, and every time.
   *
   * @throws io.sparknd.tensor.SparkNdException if ids are keys, since a tensor has its rows by
   *     number; {@link #toDataset} has them by key
   */
  public DistributedTensor weights() {
    if (spec.isKeyed()) {
      throw EmbeddingErrors.noTensorOfKeys();
    }
    Shape shape = Shape.of(rows(), dim());
    int blockBytes = layout.perBlock() * layout.rowBytes();
    BlockLayout blocks =
        BlockLayout.of(dtype(), shape, new Partitioning(partitions(), blockBytes), partitions());
    RowLayout rows = layout;
    RowDirectory places = ids;
    JavaRDD<TensorPartition> weights =
        rdd()
            .map(
                partition ->
                    TensorPartition.of(
                        rows.storage(),
                        partition.index(),
                        new RowReader(partition, rows, places).blocks()));
    return DistributedTensor.of(TensorBlocks.of(spark, blocks, weights));
  }

  /**
   * The rows that are in the table: {@code id bigint, embedding array<float>}, in no particular
   * order. Where ids are keys, these are the rows that had a gradient. Else they come in the blocks
   * of about 256 bytes that rows are written in: all rows of a block of which any had a gradient.
   * All others are what the initializer makes of their ids.
   */
  public Dataset<Row> toDataset() {
    RowLayout rows = layout;
    RowDirectory places = ids;
    JavaRDD<InternalRow> written =
        rdd()
            .mapPartitions(
                partitions -> new WrittenRows(EmbeddingPartition.only(partitions), rows, places));
    return InternalRows.toDataset(spark, written, WrittenRows.schema(layout));
  }

  /** Counts the rows of {@link #toDataset}; a job. */
  public long written() {
    RowLayout rows = layout;
    return rdd().map(partition -> partition.written(rows)).reduce(Long::sum);
  }

  /**
   * The rows of {@code rows}, each with what the weights of its ids come to in one more column, as
   * {@link EmbeddingLookup#of} says. Only rows that lists name are read, or made where they were
   * never written. Where ids are keys, every key has a row: that which training would begin with,
   * as long as it was not trained; {@code how} has nothing to refuse.
   *
   * @throws io.sparknd.tensor.SparkNdException as there
   */
  public Dataset<Row> lookup(Lookup how, Dataset<Row> rows, LookupColumns columns) {
    EmbeddingTableRows source = new EmbeddingTableRows(spark, layout, ids, rows(), rdd());
    return RowLookup.of(source, how, rows, columns).run();
  }

  /**
   * A new version, in which the optimizer has made one step with the gradients of a table or query.
   * Gradients of the same row are summed first, in the order that {@code columns} asks for, else in
   * the order of the rows, as {@link DistributedTensor#scatter(io.sparknd.op.Scatter, Dataset,
   * TensorColumns)} says.
   *
   * @param gradients one id column of integers, and a value column of arrays of {@code dim} floats
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or of the wrong type, there
   *     is not one id column, or a row has a null, a gradient of another length or an id that is
   *     not in the table; the first such row is named. Also if a sum of gradients is NaN or
   *     infinite, unless {@link EmbeddingSpec#withBadGradients} says otherwise
   */
  public EmbeddingTable apply(Dataset<Row> gradients, TensorColumns columns) {
    ShuffledGradients sent = ShuffledGradients.of(this, gradients, columns);
    OwnerTask task =
        new OwnerTask(layout, ids, optimizer(), spec.badGradients(), steps, Integer.MAX_VALUE);
    JavaRDD<EmbeddingPartition> next = PartitionTasks.of(rdd(), sent.batches(), task);
    // every 40th is cut off from those before it, as steps of a training are
    VersionLineage.compute(next, versions + 1, sent.refusals());
    SparkNdMetric.TRAINING_STEPS.add(1);
    return next(next, steps + 1, versionsAfter());
  }

  /**
   * Writes the table to a new directory, each partition its own file, with what the optimizer
   * keeps: a training goes on from there as if nothing had been between.
   *
   * @param directory a path or URI that every executor can write to; must not exist, or be empty
   */
  public void save(String directory) {
    SavedEmbedding.save(this, directory);
  }

  /**
   * The table that {@link #save} wrote to {@code directory}, in as many partitions.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none, or a file is damaged (when it is
   *     used)
   */
  public static EmbeddingTable load(SparkSession spark, String directory) {
    SparkVersion.check();
    return SavedEmbedding.load(spark, directory);
  }

  /**
   * The same table in another number of partitions.
   *
   * @param count at least 1
   */
  public EmbeddingTable repartition(int count) {
    EmbeddingSpec other = spec.withPartitions(count);
    Repartitioner redeal = Repartitioner.of(layout, ids, RowDirectory.of(layout, rows(), count));
    JavaRDD<EmbeddingPartition> moved =
        rdd()
            .flatMapToPair(
                partition ->
                    redeal.split(partition).stream()
                        .map(part -> new Tuple2<>(part.index(), part))
                        .iterator())
            .partitionBy(new HashPartitioner(count))
            .values()
            .mapPartitionsWithIndex(
                (index, parts) -> List.of(redeal.merged(index, parts)).iterator(), false);
    VersionLineage.keep(moved, versions + 1);
    return new EmbeddingTable(spark, other, moved, steps, versionsAfter());
  }

  /** Versions in the lineage of one that comes of this, as {@link VersionLineage#keep} cuts it. */
  private int versionsAfter() {
    return (versions + 1) % VersionLineage.MOST_VERSIONS;
  }

  /**
   * Gives back the memory and disk of this version's own blocks; every later call that needs them
   * is an error, whose condition is {@code SPARKND_VERSION_CLOSED}. What came of it stays, as
   * {@link DistributedTensor#close} says.
   */
  @Override
  public void close() {
    handle.close();
  }

  EmbeddingSpec spec() {
    return spec;
  }

  SparkSession spark() {
    return spark;
  }

  RowLayout layout() {
    return layout;
  }

  RowDirectory ids() {
    return ids;
  }

  /** Versions since the lineage was cut last, or the table was made. */
  int versions() {
    return versions;
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if the table was closed
   */
  JavaRDD<EmbeddingPartition> rdd() {
    handle.checkOpen(this);
    return rdd;
  }

  /** Dtype, shape, partitions and optimizer. */
  @Override
  public String toString() {
    return dtype()
        + "["
        + (spec.isKeyed() ? "keys" : rows())
        + ", "
        + dim()
        + "] in "
        + partitions()
        + " partitions, "
        + optimizer()
        + ", "
        + steps
        + " steps";
  }
}
