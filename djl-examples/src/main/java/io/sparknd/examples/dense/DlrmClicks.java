/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import io.sparknd.cli.Example;
import io.sparknd.examples.support.ExampleSession;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Option;

/** Trains DLRM on planted clicks, compared with the same model in plain PyTorch. */
public final class DlrmClicks implements Example {
  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "600",
      description = "Mini-batches. Default: 600.")
  private int steps = 600;

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "512",
      description = "Examples in each of two parts of a mini-batch. Default: 512.")
  private int size = 512;

  public static void main(String[] args) throws Exception {
    new DlrmClicks().run();
  }

  @Override
  public String name() {
    return "dlrm";
  }

  @Override
  public String summary() {
    return "train DLRM on planted clicks, compared with plain PyTorch";
  }

  @Override
  public void run() throws Exception {
    try (SparkSession spark = ExampleSession.open(name())) {
      DlrmExperiment.run(spark, steps, size);
    }
  }
}
