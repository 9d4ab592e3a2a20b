/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.cli.training.LossChart;
import io.sparknd.embedding.EmbeddingKeys;
import io.sparknd.embedding.EmbeddingSpec;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.TrainedEmbedding;
import io.sparknd.embedding.evaluation.EvaluationMetric;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.examples.support.DriverLoad;
import io.sparknd.examples.support.ModelComparison;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Trains click prediction and compares it with MLlib and, if it is known, the truth. */
public final class ClickExperiment {
  /** Factors per feature. */
  static final int FACTORS = 4;

  private static final long SEED = 1;
  private static final double RATE = 0.1;
  private static final double BASELINE_SHARE = 0.1;

  private final SparkSession spark;
  private final ClickTask task;
  private final int epochs;
  private final int baselineSteps;

  /**
   * @param epochs passes over the training examples
   * @param baselineSteps steps of MLlib, on a tenth of all examples each
   */
  public ClickExperiment(SparkSession spark, ClickTask task, int epochs, int baselineSteps) {
    this.spark = spark;
    this.task = task;
    this.epochs = epochs;
    this.baselineSteps = baselineSteps;
  }

  /**
   * Trains, compares with MLlib and writes a chart.
   *
   * @param folder the folder of the chart, which exists
   * @return the AUC of held-out examples
   */
  public double run(Path folder) {
    ClickSplit split = ClickSplit.of(task.clicks());
    describe(split);
    FactorizationMachine machine = new FactorizationMachine(EmbeddingKeys.of("bias"));
    DriverLoad<TrainedEmbedding> trained = DriverLoad.of(spark, () -> train(split, machine));
    report(trained.model());
    Path chart = folder.resolve("loss.svg");
    LossChart.of(trained.model()).write(chart);
    say("chart", "%s", chart);
    return compare(split, machine, trained);
  }

  private static void describe(ClickSplit split) {
    Row heldOut = split.heldOut().selectExpr("count(*)", "100 * avg(label)").first();
    say(
        "log",
        "%,d examples with %d features each; %,d held out, %.1f %% of them clicked",
        split.count(),
        split.fields(),
        heldOut.getLong(0),
        heldOut.getDouble(1));
  }

  private TrainedEmbedding train(ClickSplit split, FactorizationMachine machine) {
    EmbeddingTable table =
        EmbeddingTable.create(
            spark,
            EmbeddingSpec.keyed(1 + FACTORS, Optimizer.adagrad(RATE))
                .withInitializer(Initializer.uniform(-0.05, 0.05, SEED)));
    return table.train(split.batches(), machine).steps(epochs * split.steps()).run();
  }

  private void report(TrainedEmbedding trained) {
    long examples = trained.steps().stream().mapToLong(step -> step.loss().examples()).sum();
    say(
        "trained",
        "%d epochs in %,d steps, %,.0f examples per second; loss %.3f, initially %.3f",
        epochs,
        trained.steps().size(),
        examples / trained.seconds(),
        trained.loss(10),
        trained.steps().get(0).loss().mean());
    say("table", "%,d features have a row", trained.table().writtenRows() - 1);
  }

  private double compare(
      ClickSplit split, FactorizationMachine machine, DriverLoad<TrainedEmbedding> trained) {
    FmBaseline baseline = new FmBaseline(task.buckets(), FACTORS, baselineSteps, BASELINE_SHARE);
    DriverLoad<FMClassificationModel> fm =
        DriverLoad.of(spark, () -> baseline.train(split.training()));
    Dataset<Row> heldOut = split.heldOut();
    ModelComparison comparison =
        new ModelComparison(EvaluationMetric.auc(), EvaluationMetric.logLoss());
    ClickScores scores = new ClickScores(machine, split.fields());
    double auc =
        comparison.add("SparkND", scores.of(trained.model().table(), heldOut), trained).get(0);
    comparison.add("MLlib FMClassifier", baseline.predictions(fm.model(), heldOut), fm);
    if (Arrays.asList(heldOut.columns()).contains("truth")) {
      comparison.add("true model", heldOut.selectExpr("label", "truth AS score"));
    }
    comparison.print();
    return auc;
  }
}
