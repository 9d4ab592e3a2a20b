/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.Exchange;
import io.sparknd.cluster.exchange.Exchange.Order;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.fold.Lineage;
import io.sparknd.cluster.spark.MapStage;
import io.sparknd.cluster.spark.TaskErrors;
import io.sparknd.embedding.rows.EmbeddingPartition;
import io.sparknd.tensor.Storage;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * The jobs of a training. Each has two stages: the owners of rows finish the version that the
 * gradients of the job before make, and answer with it what was asked together with these; then the
 * shards compute. So a step is one shuffle there and one back.
 *
 * <p>Why versions, and no store that tasks write to: Spark may run a task twice. What a task makes
 * depends on nothing but the version before and the messages, which come sorted, so a second run
 * makes the same bits, and nobody sees half a version.
 */
final class TrainingLoop<B> {
  private final EmbeddingTable table;
  private final StepFunction<B> function;
  private final JavaRDD<Batches.Shard<B>> shards;
  private final JavaSparkContext context;
  private final int versionsPerCut;

  /** The version that the next job finishes; not computed yet. */
  private JavaRDD<EmbeddingPartition> version;

  /** The one before, given back once the next is computed. */
  private JavaRDD<EmbeddingPartition> previous;

  /** Versions in its lineage. */
  private int made;

  TrainingLoop(
      EmbeddingTable table, Batches<B> batches, StepFunction<B> function, int versionsPerCut) {
    this.table = table;
    this.function = function;
    this.context = JavaSparkContext.fromSparkContext(table.spark().sparkContext());
    this.shards = batches.shards(context);
    this.versionsPerCut = versionsPerCut;
    this.made = table.versions();
  }

  /** Gets ready for the first job; only that one is asked for what it needs. */
  void begin(Steps first) {
    JavaRDD<Tuple2<BatchKey, UpdateBatch>> nothing =
        context.parallelize(List.of(), shards.getNumPartitions());
    version = table.rdd();
    follow(sent(nothing, new Steps(first.first(), 0), first, null), first.first());
  }

  /**
   * Runs a job.
   *
   * @param next mini-batches of the job after it; none after the last
   * @return the losses of {@code now}, in their order
   */
  List<Loss> run(Steps now, Steps next) {
    try {
      if (keep()) {
        Lineage.materialize(version); // only a job of its own cuts
      }
      LossTally losses = LossTally.registered(context.sc());
      JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent = sent(answers(), now, next, losses);
      MapStage.run(sent);
      forgetPrevious();
      previous = version;
      follow(sent, now.first());
      return List.copyOf(losses.value().values());
    } catch (Exception e) {
      abandon();
      throw TaskErrors.unwrapped(e);
    }
  }

  /** The last version, computed and kept. */
  JavaRDD<EmbeddingPartition> end() {
    try {
      keep();
      Lineage.materialize(version);
      forgetPrevious();
      return version;
    } catch (Exception e) {
      abandon();
      throw TaskErrors.unwrapped(e);
    }
  }

  /** Versions in the lineage of the last one. */
  int versions() {
    return made;
  }

  private JavaRDD<Tuple2<BatchKey, UpdateBatch>> answers() {
    return Exchange.shuffle(
        version.mapPartitions(new Answers(table.layout(), table.ids())),
        shards.getNumPartitions(),
        table.layout().storage(),
        Order.ANY);
  }

  private JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent(
      JavaRDD<Tuple2<BatchKey, UpdateBatch>> answers, Steps now, Steps next, LossTally losses) {
    int parts = shards.getNumPartitions();
    ShardTask<B> task =
        new ShardTask<>(table.layout(), table.ids(), parts, function, now, next, losses);
    return Exchange.shuffle(
        shards.zipPartitions(answers, task), table.partitions(), Storage.FLOAT, Order.AS_SENT);
  }

  private void follow(JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent, long first) {
    OwnerTask task =
        new OwnerTask(
            table.layout(), table.ids(), table.optimizer(), first, shards.getNumPartitions());
    version = version.zipPartitions(sent, task);
    made++;
  }

  /** Whether the version is cut off from those before it, once it is computed. */
  private boolean keep() {
    boolean isCut = made >= versionsPerCut;
    if (isCut) {
      Lineage.cut(version);
      made = 0;
    } else {
      version.persist(StorageLevel.MEMORY_AND_DISK());
    }
    return isCut;
  }

  private void forgetPrevious() {
    if (previous != null) {
      previous.unpersist(false);
    }
  }

  private void abandon() {
    forgetPrevious();
    version.unpersist(false);
  }
}
