/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import io.sparknd.cli.Example;
import io.sparknd.examples.support.ExampleSession;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/** Trains two towers on planted visits, compared with the same model in plain PyTorch. */
public final class TwoTowerVisits implements Example {
  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "600",
      description = "Mini-batches. Default: 600.")
  private int steps = 600;

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "256",
      description = "Visits in each of two parts of a mini-batch. Default: 256.")
  private int size = 256;

  public static void main(String[] args) throws Exception {
    new TwoTowerVisits().run();
  }

  @Override
  public String name() {
    return "two-tower";
  }

  @Override
  public String summary() {
    return "train two towers on planted visits, compared with plain PyTorch";
  }

  @Override
  public void run() throws Exception {
    try (SparkSession spark = ExampleSession.open(name())) {
      TwoTowerExperiment.run(spark, steps, size);
    }
  }
}
