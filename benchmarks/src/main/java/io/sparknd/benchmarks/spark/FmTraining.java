/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.TrainedEmbedding;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** A factorization machine in SparkND, which each run trains further. */
final class FmTraining implements SparkPeer {
  /** One per core, of the table as of a mini-batch. */
  static final int PARTITIONS = 2;

  private final FmSetup setup;
  private final List<Double> losses;
  private final JavaRDD<FmBatch> batches;
  private EmbeddingTable table;

  /**
   * @param losses receives the losses of the first steps, for its peers
   */
  FmTraining(SparkSession spark, FmSetup setup, List<Double> losses) {
    this.setup = setup;
    this.losses = losses;
    FmData data = setup.data();
    this.batches =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(IntStream.range(0, PARTITIONS).boxed().toList(), PARTITIONS)
            .flatMap(shard -> data.part(shard, PARTITIONS).iterator())
            .cache();
    this.table =
        EmbeddingTable.create(
            spark,
            EmbeddingSpec.of(FmData.ROWS, setup.dim(), setup.optimizer())
                .withInitializer(FmSetup.INITIALIZER)
                .withPartitions(PARTITIONS));
  }

  @Override
  public String name() {
    return "SparkND";
  }

  @Override
  public Role role() {
    return Role.OURS;
  }

  @Override
  public void run() {
    train(setup.steps());
  }

  private List<Double> train(int steps) {
    TrainedEmbedding trained = table.train(Batches.of(batches), new FmModel()).steps(steps).run();
    table.close();
    table = trained.table();
    return trained.steps().stream().map(step -> step.loss().sum()).toList();
  }

  @Override
  public OptionalLong answer() {
    losses.addAll(new ArrayList<>(train(setup.checkedSteps())));
    return OptionalLong.empty();
  }

  @Override
  public boolean goesOn() {
    return true;
  }

  @Override
  public void close() {
    table.close();
    batches.unpersist(true);
  }
}
