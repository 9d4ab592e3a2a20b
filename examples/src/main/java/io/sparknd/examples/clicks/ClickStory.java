/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.cli.training.LossChart;
import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.Trained;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.examples.support.Auc;
import io.sparknd.examples.support.DriverLoad;
import io.sparknd.examples.support.ModelComparison;
import io.sparknd.examples.support.TrainedRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.sql.SparkSession;

/** Trains click prediction and compares it with the true model. */
public final class ClickStory {
  private static final long SEED = 1;
  private static final int[] SIZES = {4_000, 2_000, 500, 100, 50, 24, 12, 7};
  private static final int FACTORS = 4;
  private static final double RATE = 0.1;
  private static final int SHARDS = 2;
  private static final int SIZE = 4096;
  private static final double RIVAL_SHARE = 0.1;

  private final SparkSession spark;
  private final ClickLog log;
  private final int batches;
  private final int epochs;
  private final int rivalSteps;

  /**
   * @param examples training examples, rounded down to whole mini-batches; a tenth as many are held
   *     out
   * @param epochs passes over the training examples
   * @param rivalSteps steps of MLlib, on a tenth of all examples each
   */
  public ClickStory(SparkSession spark, int examples, int epochs, int rivalSteps) {
    this.spark = spark;
    this.log = new ClickLog(SIZES, FACTORS, SEED);
    this.batches = Math.max(1, examples / (SHARDS * SIZE));
    this.epochs = epochs;
    this.rivalSteps = rivalSteps;
  }

  /**
   * Trains, compares with MLlib and writes a chart.
   *
   * @param folder the folder of the chart
   * @return the AUC of held-out examples
   */
  public double tell(Path folder) throws IOException {
    Clicks heldOut = log.clicks(examples(), examples() / 10);
    long clicked = IntStream.range(0, heldOut.count()).filter(i -> heldOut.clicked()[i]).count();
    say(
        "log",
        "%,d examples with %d of %,d features each; %,d held out, %.1f %% of them clicked",
        examples(),
        heldOut.fields(),
        log.machine().features(),
        heldOut.count(),
        100.0 * clicked / heldOut.count());
    Broadcast<ClickLog> shared = context().broadcast(log);
    DriverLoad<Trained> trained = DriverLoad.of(spark, () -> train(shared));
    report(trained.model());
    Files.createDirectories(folder);
    Path chart = folder.resolve("loss.svg");
    LossChart.of(trained.model()).write(chart);
    say("chart", "%s", chart);
    double auc = auc(TrainedRows.of(trained.model().table()), heldOut);
    compare(auc, trained, shared, heldOut);
    return auc;
  }

  private int examples() {
    return SHARDS * SIZE * batches;
  }

  private JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  private Trained train(Broadcast<ClickLog> shared) {
    EmbeddingTable table =
        EmbeddingTable.create(
            spark,
            EmbeddingSpec.of(log.machine().rows(), 1 + FACTORS, Optimizer.adagrad(RATE))
                .withInitializer(Initializer.uniform(-0.05, 0.05, SEED)));
    ClickSource source = new ClickSource(shared, examples(), SHARDS, SIZE);
    return table
        .train(Batches.generated(SHARDS, source), log.machine())
        .steps(epochs * batches)
        .run();
  }

  private void report(Trained trained) {
    long examples = trained.steps().stream().mapToLong(step -> step.loss().examples()).sum();
    say(
        "trained",
        "%d epochs in %,d steps, %,.0f examples per second; loss %.3f, initially %.3f",
        epochs,
        trained.steps().size(),
        examples / trained.seconds(),
        trained.loss(10),
        trained.steps().get(0).loss().mean());
  }

  private double auc(TrainedRows rows, Clicks heldOut) {
    return Auc.of(log.machine().scores(rows, heldOut), heldOut.clicked());
  }

  private void compare(
      double auc, DriverLoad<Trained> trained, Broadcast<ClickLog> shared, Clicks heldOut) {
    JavaRDD<Clicks> clicks =
        context()
            .parallelize(IntStream.range(0, SHARDS * batches).boxed().toList(), SHARDS)
            .map(number -> shared.value().clicks((long) number * SIZE, SIZE));
    FmRival rival = new FmRival(log.machine().features(), FACTORS, rivalSteps, RIVAL_SHARE);
    DriverLoad<FMClassificationModel> fm = DriverLoad.of(spark, () -> rival.train(spark, clicks));
    new ModelComparison("held-out AUC")
        .with("SparkND", auc, trained)
        .with("MLlib FMClassifier", auc(rival.rows(fm.model()), heldOut), fm)
        .with("true model", Auc.of(log.scores(heldOut), heldOut.clicked()))
        .print();
  }
}
