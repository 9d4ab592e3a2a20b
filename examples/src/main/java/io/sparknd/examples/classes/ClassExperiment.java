/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.cli.classes.ClassFiles;
import io.sparknd.cli.training.LossChart;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.TrainedEmbedding;
import io.sparknd.embedding.evaluation.EvaluationMetric;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.examples.support.DriverLoad;
import io.sparknd.examples.support.ModelComparison;
import io.sparknd.examples.support.TrainedRows;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Word2VecModel;
import org.apache.spark.sql.SparkSession;

/** Trains class vectors on the references between classes and evaluates them. */
public final class ClassExperiment {
  private static final long SEED = 1;
  private static final double HELD_OUT = 0.05;
  private static final int LENGTH = 20;
  private static final int WINDOW = 5;
  private static final int NOISE = 5;
  private static final int POOL = 1024;
  private static final int DIM = 32;
  private static final double RATE = 0.3;
  private static final int SHARDS = 2;
  private static final int WALKS = 256;
  private static final int NEIGHBOURS = 5;
  private static final int PACKAGES = 40;

  private static final List<String> WELL_KNOWN =
      List.of(
          "java.lang.String",
          "java.util.HashMap",
          "java.util.concurrent.locks.ReentrantLock",
          "scala.Option",
          "org.apache.spark.rdd.RDD",
          "org.apache.spark.sql.catalyst.expressions.Expression",
          "io.netty.channel.Channel");

  private final SparkSession spark;
  private final ClassGraph classes;
  private final HeldOut heldOut;
  private final SkipGrams skipGrams;
  private final int rounds;

  /**
   * @param files the class files
   * @param most the most classes to use
   * @param rounds rounds of walks, one from each class per round
   */
  public ClassExperiment(SparkSession spark, ClassFiles files, int most, int rounds) {
    this.spark = spark;
    this.rounds = rounds;
    this.classes = ClassGraph.of(files.classes(), most, SEED);
    this.heldOut = HeldOut.of(classes.graph(), HELD_OUT, SEED);
    RandomWalks walks = new RandomWalks(heldOut.training(), LENGTH, SEED);
    this.skipGrams = SkipGrams.of(walks, WINDOW, NOISE, POOL);
    say("class files", "%,d in %,d jars and folders", files.classes().size(), files.sources());
  }

  /**
   * Trains, compares with Word2Vec and writes charts.
   *
   * @param folder the folder of the charts, which exists
   * @return the link prediction AUC
   */
  public double run(Path folder) {
    int nodes = skipGrams.walksPerRound();
    say(
        "graph",
        "%,d classes, %,d edges; %,d of them held out",
        nodes,
        classes.graph().edges().length,
        heldOut.edges().length);
    say("walks", "%d rounds of one from each class, %d classes long", rounds, LENGTH);
    DriverLoad<TrainedEmbedding> trained = DriverLoad.of(spark, this::train);
    TrainedRows both = TrainedRows.of(trained.model().table());
    TrainedRows vectors = both.first(nodes);
    report(trained.model(), vectors);
    write(folder, trained.model(), vectors);
    return compare(both, trained);
  }

  private TrainedEmbedding train() {
    Broadcast<SkipGrams> shared =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(skipGrams);
    int nodes = skipGrams.walksPerRound();
    EmbeddingTable table =
        EmbeddingTable.create(
            spark,
            EmbeddingSpec.of(2L * nodes, DIM, Optimizer.adagrad(RATE))
                .withInitializer(Initializer.uniform(-0.05, 0.05, SEED)));
    return table
        .train(
            Batches.generated(SHARDS, new PairSource(shared, SHARDS, WALKS)), new SkipGram(nodes))
        .steps(Math.max(1, rounds * nodes / (SHARDS * WALKS)))
        .run();
  }

  private void report(TrainedEmbedding trained, TrainedRows vectors) {
    long pairs = trained.steps().stream().mapToLong(step -> step.loss().examples()).sum();
    say(
        "trained",
        "%,d pairs in %,d steps, %,.0f pairs per second; loss %.3f, initially %.3f",
        pairs,
        trained.steps().size(),
        pairs / trained.seconds(),
        trained.loss(10),
        trained.steps().get(0).loss().mean());
    say("neighbours", "by angle between vectors");
    for (String name : WELL_KNOWN) {
      int node = classes.names().indexOf(name);
      if (node >= 0) {
        say("", "%s: %s", name, neighbours(vectors, node));
      }
    }
  }

  private String neighbours(TrainedRows vectors, int node) {
    return vectors.nearest(node, NEIGHBOURS).stream()
        .map(classes.names()::get)
        .collect(Collectors.joining(", "));
  }

  private void write(Path folder, TrainedEmbedding trained, TrainedRows vectors) {
    LossChart.of(trained).write(folder.resolve("loss.svg"));
    PackageMap.of(spark, classes.names(), vectors, PACKAGES).write(folder.resolve("packages.svg"));
    say("charts", "%s and %s", folder.resolve("loss.svg"), folder.resolve("packages.svg"));
  }

  private double compare(TrainedRows both, DriverLoad<TrainedEmbedding> trained) {
    Word2VecBaseline baseline = new Word2VecBaseline(skipGrams, rounds, DIM, SHARDS);
    DriverLoad<Word2VecModel> word2Vec = DriverLoad.of(spark, () -> baseline.train(spark));
    int nodes = skipGrams.walksPerRound();
    ModelComparison comparison = new ModelComparison(EvaluationMetric.auc());
    double auc =
        comparison.add("SparkND", heldOut.byCosine(spark, both.first(nodes)), trained).get(0);
    comparison.add(
        "MLlib Word2Vec", heldOut.byCosine(spark, baseline.rows(word2Vec.model())), word2Vec);
    comparison.add("SparkND, with contexts", heldOut.byContexts(spark, both, nodes));
    comparison.print();
    return auc;
  }
}
