/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.cluster.internal.version.VersionHandle;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.embedding.export.ExportFormat;
import io.sparknd.embedding.export.HnswFormat;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.export.NumberedTableRows;
import io.sparknd.embedding.internal.export.OrderedRows;
import io.sparknd.embedding.internal.export.TableExport;
import io.sparknd.embedding.internal.export.WrittenTableRows;
import io.sparknd.embedding.internal.lookup.EmbeddingLookupSource;
import io.sparknd.embedding.internal.lookup.RowLookup;
import io.sparknd.embedding.internal.nearest.NearestSearch;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.EvictionTask;
import io.sparknd.embedding.internal.rows.MovedPartitions;
import io.sparknd.embedding.internal.rows.PartitionDelta;
import io.sparknd.embedding.internal.rows.RankThreshold;
import io.sparknd.embedding.internal.rows.Repartitioner;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.embedding.internal.rows.RowRemoval;
import io.sparknd.embedding.internal.rows.WrittenRows;
import io.sparknd.embedding.internal.step.OwnerTask;
import io.sparknd.embedding.internal.step.ParameterNames;
import io.sparknd.embedding.internal.step.TrainedTable;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.lifecycle.RowUsage;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.nearest.VectorMetric;
import io.sparknd.embedding.optimizer.CustomOptimizer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * An embedding table: rows of weights, {@code [rows, dim]}, and the optimizer state of each row,
 * partitioned over a Spark cluster. Tables are immutable: training returns a new version, which
 * shares all untouched blocks of rows.
 *
 * <p>Rows that were never written take no memory and read as the initializer's values for their
 * ids. A table may therefore have more rows than the cluster could store, if few are trained. A
 * {@link EmbeddingSpec#keyed} table has only rows that were written, and grows.
 */
public final class EmbeddingTable implements AutoCloseable {
  private final SparkSession spark;
  private final EmbeddingSpec spec;
  private final RowLayout layout;
  private final RowDirectory directory;
  private final JavaRDD<EmbeddingPartition> rdd;
  private final long steps;
  private final int versions;
  private final VersionHandle handle;

  /** The last checkpoint of this version, or of the version that it was made from. */
  private volatile @Nullable TableCheckpoint checkpoint;

  private EmbeddingTable(
      SparkSession spark,
      EmbeddingSpec spec,
      JavaRDD<EmbeddingPartition> rdd,
      long steps,
      int versions,
      @Nullable TableCheckpoint checkpoint) {
    this.spark = spark;
    this.spec = spec;
    this.layout = layout(spec);
    this.directory = RowDirectory.of(layout, spec.rows(), spec.partitions());
    this.rdd = rdd;
    this.steps = steps;
    this.versions = versions;
    this.handle = VersionHandle.withoutDependents(rdd);
    this.checkpoint = checkpoint;
  }

  private static RowLayout layout(EmbeddingSpec spec) {
    return new RowLayout(
        spec.dtype(),
        spec.dim(),
        spec.optimizer().slots(),
        spec.stateDType(),
        spec.initializer(),
        spec.rounding(),
        spec.usage(),
        spec.admission());
  }

  /**
   * Creates a table without written rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if weights of the dtype cannot be trained
   */
  public static EmbeddingTable create(SparkSession spark, EmbeddingSpec spec) {
    SparkVersion.check();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    EmbeddingSpec chosen =
        spec.partitions() > 0 ? spec : spec.withPartitions(ClusterCores.of(context.sc()));
    RowLayout layout = layout(chosen);
    RowDirectory directory = RowDirectory.of(layout, chosen.rows(), chosen.partitions());
    JavaRDD<EmbeddingPartition> rdd =
        context
            .parallelize(
                IntStream.range(0, chosen.partitions()).boxed().toList(), chosen.partitions())
            .map(index -> EmbeddingPartition.empty(layout, directory, index));
    return new EmbeddingTable(spark, chosen, rdd, 0, 0, null);
  }

  /** Returns a table with the given partitions, {@code spec.partitions()} of them. */
  static EmbeddingTable of(
      SparkSession spark,
      EmbeddingSpec spec,
      JavaRDD<EmbeddingPartition> rdd,
      long steps,
      @Nullable TableCheckpoint checkpoint) {
    return new EmbeddingTable(spark, spec, rdd, steps, 0, checkpoint);
  }

  /** Returns this version as one that no delta can be made of. */
  EmbeddingTable withoutCheckpoint() {
    return of(spark, spec, rdd, steps, null);
  }

  /**
   * Returns a new version of this table.
   *
   * @param rdd partitions of the new version
   * @param steps steps of the new version since the table was created
   * @param versions versions in the lineage of the new version
   */
  EmbeddingTable next(JavaRDD<EmbeddingPartition> rdd, long steps, int versions) {
    return new EmbeddingTable(spark, spec, rdd, steps, versions, checkpoint);
  }

  /**
   * Returns the number of rows; ids are less than this. Returns 0 if ids are keys; {@link
   * #writtenRows} counts their rows.
   */
  public long rows() {
    return spec.rows();
  }

  /** Returns the number of weights in a row. */
  public int dim() {
    return spec.dim();
  }

  public DType dtype() {
    return spec.dtype();
  }

  public Optimizer optimizer() {
    return spec.optimizer();
  }

  /** Returns the number of Spark partitions that hold the rows. */
  public int partitions() {
    return spec.partitions();
  }

  /** Returns the number of optimizer steps since the table was created. */
  public long steps() {
    return steps;
  }

  /**
   * Returns a training with {@code batches}: set the number of steps, then run it.
   *
   * @param <B> one shard's part of a mini-batch
   * @throws io.sparknd.tensor.SparkNdException if the optimizer has an application's own rule and
   *     the table was loaded without it
   */
  public <B> Training<B> train(Batches<B> batches, StepFunction<B> function) {
    checkTrainable();
    return new Training<>(this, batches, function);
  }

  /**
   * Returns what the tasks of a training need to know.
   *
   * @param label see {@link TrainedTable}
   * @param dense the names of the parameters in the rows, if they are such
   */
  TrainedTable trained(String label, @Nullable ParameterNames dense) {
    return new TrainedTable(label, layout, directory, optimizer(), spec.badGradients(), dense);
  }

  /** Describes the jobs of a call to Spark, unless the caller has. */
  JobDescription described(String call) {
    return JobDescription.of(spark.sparkContext(), name() + ": " + call);
  }

  /** Throws if an update cannot be made, on the driver rather than in a task. */
  void checkTrainable() {
    if (optimizer() instanceof CustomOptimizer custom) {
      custom.update(steps, dim());
    }
  }

  /**
   * Returns the weights, {@code [rows, dim]}, in the partitions of this table. Rows that were never
   * written are generated each time the tensor is used.
   *
   * @throws io.sparknd.tensor.SparkNdException if ids are keys: tensor rows are numbered, so use
   *     {@link #toDataset} instead
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
    RowDirectory directory = this.directory;
    JavaRDD<TensorPartition> weights =
        rdd()
            .map(
                partition ->
                    TensorPartition.of(
                        rows.storage(),
                        partition.index(),
                        new RowReader(partition, rows, directory).blocks()));
    return DistributedTensor.of(TensorBlocks.of(spark, blocks, weights));
  }

  /**
   * Returns the written rows, {@code id bigint, embedding array<float>}, in no particular order. If
   * ids are keys or the table keeps {@link RowUsage}, these are the rows that were updated, and not
   * evicted since. Otherwise rows are written in blocks of at most 256 bytes of weights (or one
   * row), and all rows of each updated block are returned. All other rows read as the initializer's
   * values for their ids.
   */
  public Dataset<Row> toDataset() {
    RowLayout rows = layout;
    RowDirectory directory = this.directory;
    JavaRDD<InternalRow> written =
        rdd()
            .mapPartitions(
                partitions -> WrittenRows.of(EmbeddingPartition.only(partitions), rows, directory));
    return InternalRows.toDataset(spark, written, WrittenRows.schema(layout));
  }

  /**
   * Returns the rows of {@link #toDataset} that are new or have other weights than in {@code
   * since}. A copy of {@code since.toDataset()} in which these are updated is a copy of this
   * version, unless rows were evicted: their ids are not in the result, and are removed from the
   * copy. They are the ids of {@code since.toDataset()} that are not in {@link #toDataset}.
   *
   * @param since an earlier version, with the same rows, dim, dtype and partitions, and the same
   *     assignment of keys to partitions
   * @throws io.sparknd.tensor.SparkNdException if {@code since} is of another kind, or has more
   *     steps
   */
  public Dataset<Row> changesSince(EmbeddingTable since) {
    if (rows() != since.rows()
        || dim() != since.dim()
        || dtype() != since.dtype()
        || !directory.equals(since.directory)) {
      throw EmbeddingErrors.otherTable(toString(), since.toString());
    }
    if (since.steps() > steps()) { // rows that only it has would be missing
      throw EmbeddingErrors.laterTable(steps(), since.steps());
    }
    RowLayout rows = layout;
    RowDirectory directory = this.directory;
    JavaRDD<InternalRow> changed =
        rdd()
            .zipPartitions(
                since.rdd(),
                (partitions, earlier) ->
                    WrittenRows.changed(
                        EmbeddingPartition.only(partitions),
                        EmbeddingPartition.only(earlier),
                        rows,
                        directory));
    return InternalRows.toDataset(spark, changed, WrittenRows.schema(layout));
  }

  /** Returns the number of rows of {@link #toDataset}. Runs a job. */
  public long writtenRows() {
    RowLayout rows = layout;
    return read(all -> all.map(partition -> partition.updated(rows)).reduce(Long::sum));
  }

  /**
   * Returns {@code rows} with the combined embedding of each row's ids in one more column, as
   * {@link EmbeddingLookup#of} does. Only rows that lists name are read, or generated if they were
   * never written. If ids are keys, a key that was not trained has its initial weights.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link EmbeddingLookup#of}, or if ids are keys
   *     and {@code how} has a policy for bad or negative ids
   */
  public Dataset<Row> lookup(Lookup how, Dataset<Row> rows, LookupColumns columns) {
    return readLater(
        all -> {
          EmbeddingLookupSource source =
              new EmbeddingLookupSource(spark, layout, directory, rows(), all);
          return RowLookup.of(source, how, rows, columns).run();
        });
  }

  /**
   * Returns the {@code k} nearest rows of each query: {@code query_id bigint, rank int, id bigint,
   * score double}, in no particular order. Rank 1 is the nearest; of rows with the same score, the
   * smaller id is nearer. Every query is compared with every row of {@link #toDataset}: rows that
   * were never written are no neighbors. A query has fewer than {@code k} neighbors if the table
   * has fewer rows, and none if it has none.
   *
   * <p>Results have the same bits at every number of partitions. Blocks of queries are sent to
   * every partition of the table, so shuffled bytes are those of the queries times {@link
   * #partitions}. A copy of the queries stays persisted until the result is garbage-collected.
   *
   * @param queries column {@code id} of integers, and column {@code embedding} of arrays of {@link
   *     #dim} floats or doubles, which are rounded to float32. Ids may repeat
   * @param k at least 1
   * @throws io.sparknd.tensor.SparkNdException if {@code k} is below 1, a column is missing or has
   *     the wrong type, or a query has a null, another number of elements or one that is not
   *     finite. All queries are checked before the result is returned, and the first such row is
   *     named. When the result is used, if a row of the table is not finite
   */
  public Dataset<Row> nearest(Dataset<Row> queries, int k, VectorMetric metric) {
    return readLater(
        all -> new NearestSearch(spark, layout, directory, all, k, metric).run(queries));
  }

  /**
   * Returns a new version after one optimizer step with the gradients of a table or query.
   * Gradients of the same row are summed first: in the order that {@code columns} defines,
   * otherwise in row order, as for {@link DistributedTensor#scatter(io.sparknd.op.Scatter, Dataset,
   * TensorColumns)}.
   *
   * @param gradients one id column of integers, and a value column of arrays of {@code dim} floats
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or have the wrong type, there
   *     is not exactly one id column, or a row has a null, a gradient of another length or an id
   *     that is not in the table; the first such row is named. Also if a sum of gradients, an
   *     updated weight or optimizer state is NaN or infinite, unless {@link
   *     EmbeddingSpec#withBadGradients} allows it
   */
  public EmbeddingTable apply(Dataset<Row> gradients, TensorColumns columns) {
    try (JobDescription shown = described("apply")) {
      return applied(gradients, columns);
    }
  }

  private EmbeddingTable applied(Dataset<Row> gradients, TensorColumns columns) {
    checkTrainable();
    ShuffledGradients sent = ShuffledGradients.of(this, gradients, columns);
    OwnerTask task = OwnerTask.ofOneStep(trained("", null), steps);
    JavaRDD<EmbeddingPartition> next = PartitionTasks.of(rdd(), sent.batches(), task);
    // every 40th version is cut off from its lineage
    VersionLineage.compute(next, versions + 1, sent.rowErrors());
    SparkNdMetric.TRAINING_STEPS.add(1);
    return next(next, steps + 1, nextVersions());
  }

  /**
   * Returns a new version without the rows that {@code eviction} names. An evicted id reads as the
   * initializer's value again, and its next gradient starts from there, with initial optimizer
   * state. The rows that go are the same at every number of partitions. A partition of keys that
   * loses rows is copied. A table that was saved or loaded, and keeps the usage of its rows, keeps
   * the ids that were evicted since, 8 bytes each, until the first eviction after the next {@link
   * #save} or {@link #saveDelta}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the eviction needs {@link
   *     EmbeddingSpec#withRowUsage} and the table does not keep it; if ids are numbers, every
   *     eviction does
   */
  public EvictionResult evict(RowEviction eviction) {
    try (JobDescription shown = described("evict")) {
      return evicted(eviction);
    }
  }

  private EvictionResult evicted(RowEviction eviction) {
    RankThreshold threshold = new EvictionThresholds(this).of(eviction);
    TableCheckpoint last = checkpoint; // once: a save at the same time may replace it
    RankThreshold candidates =
        eviction instanceof RowEviction.Idle
            ? threshold
            : RankThreshold.below(EvictionOrder.LEAST_RECENT, 0);
    EvictionTask task =
        new EvictionTask(
            threshold,
            candidates,
            new RowRemoval(layout, directory),
            last == null || spec.usage() == RowUsage.NOTHING ? "" : last.id(),
            steps);
    JavaRDD<EmbeddingPartition> next = PartitionTasks.of(rdd(), task);
    VersionLineage.compute(next, versions + 1, null);
    EmbeddingTable rest = new EmbeddingTable(spark, spec, next, steps, nextVersions(), last);
    return new EvictionResult(rest, writtenRows() - rest.writtenRows());
  }

  /**
   * Writes the table to a new directory, one file per partition, with the optimizer state. Training
   * can resume from it with identical results.
   *
   * @param directory a path or URI that every executor can write to; must not exist, or be empty
   */
  public void save(String directory) {
    try (JobDescription shown = described("save")) {
      checkpoint = SavedEmbedding.save(this, directory);
    }
  }

  /**
   * Writes the weights to a new local directory, for servers and other libraries. The driver
   * receives at most some 128 MiB of rows at a time and writes them in order: a tensor is one range
   * of bytes, which tasks on several machines cannot write to an object store in parts. Numbered
   * rows that were never written are included, except in an {@link HnswFormat} index. Files are
   * written to a temporary directory beside the target, which is renamed when they are complete.
   *
   * @param directory a directory of the driver; must not exist
   * @return the files, sorted by name
   * @throws io.sparknd.tensor.SparkNdException if {@code directory} exists or cannot be written, or
   *     a weight overflows the precision; the directory then does not exist
   */
  public List<Path> export(ExportFormat format, Path directory) {
    OrderedRows rows =
        spec.isKeyed() || format instanceof HnswFormat
            ? new WrittenTableRows(toDataset(), writtenRows(), dim())
            : new NumberedTableRows(weights().blocks());
    return TableExport.run(rows, format, directory);
  }

  /**
   * Adds what changed since the last checkpoint to a directory that {@link #save} wrote: the rows
   * that were updated, and the ids that were evicted. {@link #load} reads the save and its deltas,
   * in order, as the same rows, state and steps that a full save of this version has. A delta that
   * fails, or whose driver is lost, is not read.
   *
   * <p>This version must have been loaded from the directory, or made from the version that was
   * last saved to it, after that was saved; it may have another number of partitions. A version
   * that was saved to two directories has deltas in the second. Let one training at a time save
   * deltas to a directory.
   *
   * @throws io.sparknd.tensor.SparkNdException if it was not; if the table was not created with
   *     {@link EmbeddingSpec#withRowUsage}; if the directory has no saved table, or deltas that do
   *     not fit; or if another delta is saved at the same time
   */
  public void saveDelta(String directory) {
    try (JobDescription shown = described("saveDelta")) {
      checkpoint = SavedDelta.save(this, directory);
    }
  }

  /**
   * Loads the table that {@link #save} wrote to {@code directory}, and its deltas, with the number
   * of partitions that it had when it was last saved. Where that changed from one delta to the
   * next, rows are shuffled. A saved table stores only the name and slots of a custom {@link
   * io.sparknd.embedding.optimizer.OptimizerRule}. Such a table can be read; to train it, pass the
   * optimizer to {@link #load(SparkSession, String, Optimizer)}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none, or a delta does not follow those
   *     before it; when the table is used, if a file is damaged
   */
  public static EmbeddingTable load(SparkSession spark, String directory) {
    SparkVersion.check();
    return SavedEmbedding.load(spark, directory, saved -> saved);
  }

  /**
   * Loads a table as {@link #load(SparkSession, String)} does, and goes on with another optimizer:
   * an application's own, or the saved one with other options, such as its learning rate.
   *
   * @param optimizer has the slots of the saved optimizer: the same names, widths, initial values
   *     and precisions in the same order
   * @throws io.sparknd.tensor.SparkNdException if there is no such table, or its optimizer has
   *     other slots; when the table is used, if a file is damaged
   */
  public static EmbeddingTable load(SparkSession spark, String directory, Optimizer optimizer) {
    SparkVersion.check();
    return SavedEmbedding.load(
        spark,
        directory,
        saved -> {
          if (!saved.slots().equals(optimizer.slots())) {
            throw EmbeddingErrors.otherSlots(directory, saved.slots(), optimizer.slots());
          }
          return optimizer;
        });
  }

  /**
   * Returns the same table with another number of partitions.
   *
   * @param count partitions, at least 1
   * @throws io.sparknd.tensor.SparkNdException if {@code count} is below 1
   */
  public EmbeddingTable repartition(int count) {
    if (count < 1) {
      throw TrainingErrors.badTraining("partitions", count);
    }
    EmbeddingSpec other = spec.withPartitions(count);
    TableCheckpoint last = checkpoint; // once: a save at the same time may replace it
    Repartitioner repartitioner =
        Repartitioner.of(
            layout,
            directory,
            RowDirectory.of(layout, rows(), count),
            last == null ? "" : last.id());
    JavaRDD<EmbeddingPartition> moved = MovedPartitions.of(rdd(), repartitioner, count);
    VersionLineage.persist(moved, versions + 1);
    return new EmbeddingTable(spark, other, moved, steps, nextVersions(), last);
  }

  /**
   * Returns the number of versions in the lineage of the next version, as {@link
   * VersionLineage#persist} cuts it.
   */
  private int nextVersions() {
    return (versions + 1) % VersionLineage.CHECKPOINT_INTERVAL;
  }

  /**
   * Releases the memory and disk of this version's own blocks. Every later call that needs them is
   * an error with the condition {@code SPARKND_VERSION_CLOSED}. Tables and Datasets derived from it
   * remain usable, as for {@link DistributedTensor#close}.
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

  /** Returns the reader of deltas of a table in some number of partitions. */
  static PartitionDelta delta(EmbeddingSpec spec, int partitions) {
    RowLayout layout = layout(spec);
    return new PartitionDelta(layout, RowDirectory.of(layout, spec.rows(), partitions));
  }

  @Nullable TableCheckpoint checkpoint() {
    return checkpoint;
  }

  RowDirectory directory() {
    return directory;
  }

  /** Returns the number of versions since the last lineage cut, or since the table was created. */
  int versions() {
    return versions;
  }

  /**
   * Returns the partitions of this version, which may be read after it is closed, until {@link
   * #detach} is called as often.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table was closed
   */
  JavaRDD<EmbeddingPartition> rdd() {
    handle.attach(this);
    return rdd;
  }

  /** Ends what a call of {@link #rdd} began. */
  void detach() {
    handle.detach();
  }

  /** Runs a job on the partitions, which are not read once it has ended. */
  <T> T read(Function<JavaRDD<EmbeddingPartition>, T> job) {
    JavaRDD<EmbeddingPartition> partitions = rdd();
    try {
      return job.apply(partitions);
    } finally {
      detach();
    }
  }

  /** Returns rows that are computed from the partitions when they are used. */
  private Dataset<Row> readLater(Function<JavaRDD<EmbeddingPartition>, Dataset<Row>> query) {
    JavaRDD<EmbeddingPartition> partitions = rdd();
    try {
      return query.apply(partitions);
    } catch (Throwable e) { // Spark throws checked exceptions undeclared
      detach();
      throw e;
    }
  }

  boolean hasDependents() {
    return handle.hasDependents();
  }

  /** Returns dtype, shape, partitions, optimizer and steps. */
  @Override
  public String toString() {
    return name() + ", " + optimizer() + ", " + steps + " steps";
  }

  private String name() {
    String rows = spec.isKeyed() ? "keys" : Long.toString(rows());
    return dtype() + "[" + rows + ", " + dim() + "] in " + partitions() + " partitions";
  }
}
