/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import static io.sparknd.examples.support.Console.say;

import org.apache.spark.sql.SparkSession;

/** Trains DLRM on planted clicks, with 26 categorical and 13 numeric columns. */
public final class DlrmExperiment {
  private static final int COLUMNS = 26;
  private static final int NUMBERS = 13;
  private static final int PER_COLUMN = 200;
  private static final int DIM = 8;
  private static final int SHARDS = 2;
  private static final long HELD_OUT = 1L << 40;

  private DlrmExperiment() {}

  /**
   * Trains and compares.
   *
   * @param size examples in a shard's part of a mini-batch
   * @return the AUC of held-out examples
   */
  public static double run(SparkSession spark, int steps, int size) {
    PlantedClicks clicks = new PlantedClicks(COLUMNS, NUMBERS, PER_COLUMN, 1);
    DlrmModel model = new DlrmModel(COLUMNS, NUMBERS, COLUMNS * PER_COLUMN, DIM);
    ClickExamples examples = clicks.examples(HELD_OUT, 0, 10_000);
    boolean[] clicked = new boolean[examples.count()];
    float[] truth = new float[examples.count()];
    for (int i = 0; i < clicked.length; i++) {
      clicked[i] = examples.labels()[i] == 1;
      truth[i] = (float) clicks.logOdds(examples, i);
    }
    say("clicks", "%,d examples with %d columns", (long) SHARDS * size * steps, COLUMNS + NUMBERS);
    return new TorchComparison<>(
            spark, model, (step, shard) -> clicks.examples(step, shard, size), SHARDS, steps)
        .run(new HeldOutExamples<>(examples, clicked, truth));
  }
}
