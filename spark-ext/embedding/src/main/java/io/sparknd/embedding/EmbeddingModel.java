/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.cluster.internal.version.VersionHandle;
import io.sparknd.cluster.internal.version.VersionLineage;
import io.sparknd.embedding.internal.ModelErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.ModelPartitions;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/**
 * A model of several embedding tables and dense parameters, which are trained together. Tables have
 * their own row lengths, ids and optimizers, and the same number of partitions: partition {@code p}
 * of every table is in the same task, so that a step takes one shuffle in each direction however
 * many tables there are. Models are immutable: training returns a new version.
 */
public final class EmbeddingModel implements AutoCloseable {
  private final SparkSession spark;
  private final ModelSpec spec;
  private final JavaRDD<EmbeddingPartition> rdd;
  private final int versions;
  private final VersionHandle handle;

  /** What {@link #rdd} has of each table; that of dense parameters is last. */
  private final List<EmbeddingTable> tables;

  private EmbeddingModel(
      SparkSession spark,
      ModelSpec spec,
      List<EmbeddingTable> tables,
      JavaRDD<EmbeddingPartition> rdd,
      int versions) {
    this.spark = spark;
    this.spec = spec;
    this.tables = List.copyOf(tables);
    this.rdd = rdd;
    this.versions = versions;
    this.handle = VersionHandle.withoutDependents(rdd);
  }

  /**
   * Returns a model of tables, which are closed with it.
   *
   * @param tables of the same partitions and steps, in the order of {@link ModelSpec#all}
   */
  static EmbeddingModel of(SparkSession spark, ModelSpec spec, List<EmbeddingTable> tables) {
    return new EmbeddingModel(
        spark,
        spec.inPartitions(tables.get(0).partitions()),
        tables,
        partitions(tables),
        versions(tables));
  }

  private static JavaRDD<EmbeddingPartition> partitions(List<EmbeddingTable> tables) {
    return PartitionTasks.concatenated(tables.stream().map(EmbeddingTable::rdd).toList());
  }

  private static int versions(List<EmbeddingTable> tables) {
    return tables.stream().mapToInt(EmbeddingTable::versions).max().getAsInt();
  }

  /**
   * Creates a model without written rows, and with the initial dense parameters.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no table and no parameter, or tables
   *     have different numbers of partitions
   */
  public static EmbeddingModel create(SparkSession spark, ModelSpec spec) {
    SparkVersion.check();
    int chosen = spec.chosenPartitions();
    int partitions = chosen > 0 ? chosen : ClusterCores.of(spark);
    List<EmbeddingTable> tables =
        spec.all().stream()
            .map(table -> EmbeddingTable.create(spark, table.withPartitions(partitions)))
            .toList();
    return of(spark, spec, tables);
  }

  /** Returns the definition, with the number of partitions. */
  public ModelSpec spec() {
    return spec;
  }

  /** Returns the number of partitions of each table. */
  public int partitions() {
    return spec.partitions();
  }

  /** Returns the number of optimizer steps since the model was created. */
  public long steps() {
    return tables.get(0).steps();
  }

  /**
   * Returns this version of a table, which can be used until the model is closed. A training of it
   * alone does not change the model; {@link #with} does.
   *
   * @throws io.sparknd.tensor.SparkNdException if the model has no such table
   */
  public EmbeddingTable table(String name) {
    return tables.get(number(name));
  }

  private int number(String name) {
    List<String> names = List.copyOf(spec.tables().keySet());
    if (!names.contains(name)) {
      throw ModelErrors.noSuchName("table", name, names);
    }
    return names.indexOf(name);
  }

  /** Returns all dense parameters by name, in the order of {@link DenseSpec}. Runs a job. */
  public Map<String, Tensor> parameters() {
    if (spec.dense().parameters().isEmpty()) {
      return Map.of();
    }
    Tensor rows = tables.get(tables.size() - 1).weights().collect();
    return DenseLayout.of(spec.dense()).tensors((float[]) rows.array());
  }

  /**
   * Fetches rows and all dense parameters to the driver, to compute predictions of a few examples.
   * Runs two jobs for each table.
   *
   * @param ids ids of rows by the name of their table, as {@link ModelStep#ids} returns them
   * @throws io.sparknd.tensor.SparkNdException if the model has no such table, or an id is out of
   *     bounds
   */
  public ModelRows fetch(Map<String, long[]> ids) {
    ids.keySet().forEach(this::number);
    Map<String, EmbeddingRows> rows = new LinkedHashMap<>();
    for (String name : spec.tables().keySet()) {
      rows.put(name, FetchedTable.of(table(name), ids.getOrDefault(name, new long[0])));
    }
    List<DenseParameter> dense = new ArrayList<>();
    parameters()
        .forEach(
            (name, tensor) ->
                dense.add(new DenseParameter(name, tensor.shape(), (float[]) tensor.array())));
    return ModelRows.of(rows, dense);
  }

  /**
   * Returns a version with another version of one table, such as after {@link
   * EmbeddingTable#evict}, or with one that was trained before. Runs a job.
   *
   * @param table its definition is that of the model's table, but for the optimizer
   * @throws io.sparknd.tensor.SparkNdException if the model has no such table, or partitions, steps
   *     or the definition differ
   */
  public EmbeddingModel with(String name, EmbeddingTable table) {
    int number = number(name);
    EmbeddingSpec own = tables.get(number).spec();
    if (table.partitions() != partitions()) {
      throw ModelErrors.modelPartitions(List.of(partitions(), table.partitions()));
    }
    if (table.steps() != steps()) {
      throw ModelErrors.modelSteps(name, table.steps(), steps());
    }
    if (!table.spec().withOptimizer(own.optimizer()).equals(own)) {
      throw ModelErrors.otherDefinition(name, table.spec(), own);
    }
    List<EmbeddingTable> others = new ArrayList<>(tables);
    others.set(number, table);
    JavaRDD<EmbeddingPartition> next = partitions(others);
    int version = versions(others) + 1;
    VersionLineage.compute(next, version, null);
    ModelSpec replaced = spec.replacing(name, table.spec());
    return next(replaced, others, next, steps(), version % VersionLineage.CHECKPOINT_INTERVAL);
  }

  /**
   * Returns a training with {@code batches}: set the number of steps, then run it.
   *
   * @param <B> one shard's part of a mini-batch
   * @throws io.sparknd.tensor.SparkNdException if an optimizer has an application's own rule and
   *     the model was loaded without it
   */
  public <B> ModelTraining<B> train(Batches<B> batches, ModelStep<B> step) {
    tables.forEach(EmbeddingTable::checkTrainable);
    return new ModelTraining<>(this, batches, step);
  }

  /**
   * Returns the same model with another number of partitions.
   *
   * @param count partitions, at least 1
   */
  public EmbeddingModel repartition(int count) {
    return of(spark, spec, tables.stream().map(table -> table.repartition(count)).toList());
  }

  /**
   * Writes the model to a new directory: each table as {@link EmbeddingTable#save} does, and a file
   * {@code model.json}, last. Without that, a directory is no saved model.
   *
   * @param directory a path or URI that every executor can write to; must not exist, or be empty
   */
  public void save(String directory) {
    try (JobDescription shown = described("save")) {
      SavedModel.save(this, directory);
    }
  }

  /**
   * Loads the model that {@link #save} wrote, with the same number of partitions.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none; when the model is used, if a file
   *     is damaged
   */
  public static EmbeddingModel load(SparkSession spark, String directory) {
    SparkVersion.check();
    return SavedModel.load(spark, directory, null);
  }

  /**
   * Loads a model as {@link #load(SparkSession, String)} does, and goes on with the optimizers of
   * {@code spec}: an application's own, or the saved ones with other options, such as learning
   * rates.
   *
   * @param spec the definition that was saved, but for optimizers with the same slots, and the
   *     number of partitions, which is that of the saved model
   */
  public static EmbeddingModel load(SparkSession spark, String directory, ModelSpec spec) {
    SparkVersion.check();
    return SavedModel.load(spark, directory, spec);
  }

  /**
   * Releases the memory and disk of this version's own blocks, as {@link EmbeddingTable#close}
   * does. Its tables are closed, too.
   */
  @Override
  public void close() {
    tables.forEach(EmbeddingTable::close);
    if (tables.stream().anyMatch(EmbeddingTable::hasDependents)) {
      handle.retain();
    }
    handle.close();
  }

  /** Returns a new version. */
  EmbeddingModel next(JavaRDD<EmbeddingPartition> next, long steps, int versions) {
    return next(spec, tables, next, steps, versions);
  }

  private EmbeddingModel next(
      ModelSpec other,
      List<EmbeddingTable> before,
      JavaRDD<EmbeddingPartition> next,
      long steps,
      int versions) {
    List<EmbeddingTable> views = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      JavaRDD<EmbeddingPartition> view = ModelPartitions.table(next, i, before.size());
      views.add(before.get(i).next(view, steps, versions));
    }
    return new EmbeddingModel(spark, other, views, next, versions);
  }

  SparkSession spark() {
    return spark;
  }

  /** Returns the tables; that of dense parameters is last, if there are any. */
  List<EmbeddingTable> tables() {
    return tables;
  }

  /**
   * Returns the partitions of this version, see {@link ModelPartitions}, which may be read after it
   * is closed, until {@link #detach} is called as often.
   *
   * @throws io.sparknd.tensor.SparkNdException if the model was closed
   */
  JavaRDD<EmbeddingPartition> rdd() {
    handle.attach(this);
    return rdd;
  }

  /** Ends what a call of {@link #rdd} began. */
  void detach() {
    handle.detach();
  }

  /** Returns the number of versions since the last lineage cut. */
  int versions() {
    return versions;
  }

  /** Returns tables, parameters, partitions and steps. */
  @Override
  public String toString() {
    return name() + ", " + steps() + " steps";
  }

  private String name() {
    return "model of tables "
        + spec.tables().keySet()
        + " and "
        + spec.dense().parameters().size()
        + " parameters in "
        + partitions()
        + " partitions";
  }

  /** Describes the jobs of a call to Spark, unless the caller has. */
  JobDescription described(String call) {
    return JobDescription.of(spark.sparkContext(), name() + ": " + call);
  }
}
