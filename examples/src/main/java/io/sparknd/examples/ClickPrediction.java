/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import io.sparknd.cli.Example;
import io.sparknd.examples.clicks.ClickExperiment;
import io.sparknd.examples.clicks.ClickTask;
import io.sparknd.examples.support.ChartFolder;
import io.sparknd.examples.support.ExampleSession;
import io.sparknd.examples.support.OptionBounds;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/**
 * Trains a factorisation machine on Criteo's click log, or a generated one, compared with MLlib's
 * FMClassifier and the true model.
 */
public final class ClickPrediction implements Example {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "click-prediction",
      description =
          "Folder for the chart; an existing chart is overwritten. Default: click-prediction.")
  private Path out = Path.of("click-prediction");

  @Option(
      names = "--examples",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Generated examples, a tenth of which are held out. Default: 1000000.")
  private int examples = 1_000_000;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "Passes over the training examples. Default: 3, or 1 with --data.")
  private Integer epochs;

  @Option(
      names = "--baseline-steps",
      paramLabel = "N",
      defaultValue = "100",
      description = "Steps of MLlib, on a tenth of all examples each. Default: 100.")
  private int baselineSteps = 100;

  @Option(
      names = "--data",
      paramLabel = "PATH",
      description =
          "A log in Criteo's format instead of a generated one: a file such as train.txt, or a"
              + " folder.")
  private String data;

  public static void main(String[] args) throws Exception {
    new ClickPrediction().run();
  }

  @Override
  public String name() {
    return "click-prediction";
  }

  @Override
  public String summary() {
    return "predict clicks from a log, compared with MLlib's FMClassifier";
  }

  @Override
  public void run() throws Exception {
    OptionBounds.atLeast(0, "--baseline-steps", baselineSteps);
    ChartFolder.create(out);
    try (SparkSession spark = ExampleSession.open(name())) {
      ClickTask task =
          data == null ? ClickTask.planted(spark, examples) : ClickTask.criteo(spark, data);
      new ClickExperiment(spark, task, epochs == null ? task.epochs() : epochs, baselineSteps)
          .run(out);
    }
  }
}
