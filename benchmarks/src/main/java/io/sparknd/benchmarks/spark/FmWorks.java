/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.spark.FmData.Ids;
import io.sparknd.benchmarks.spark.FmSetup.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;

/**
 * Training of a factorization machine with a million rows beside PyTorch: 16 and 64 elements a row,
 * 8,192 and 65,536 examples a mini-batch, Adagrad and Adam, uniform and Zipf(1.1) ids. Works are
 * called {@code fm16-8k-adagrad-uniform}, and so on.
 */
final class FmWorks {
  private static final int SMALL_DIM = 16;
  private static final int LARGE_DIM = 64;
  private static final int SMALL = 8192;
  private static final int LARGE = 65_536;

  private final SparkSession spark;
  private final QueryRounds pace;

  FmWorks(SparkSession spark, QueryRounds pace) {
    this.spark = spark;
    this.pace = pace;
  }

  List<SparkWork> works() {
    return works("", List.of(SMALL, LARGE), 1);
  }

  /** Returns the works for two executors in processes of their own. */
  List<SparkWork> clusterWorks() {
    return works("cluster-", List.of(SMALL), 1.5);
  }

  private List<SparkWork> works(String prefix, List<Integer> batches, double goal) {
    List<SparkWork> works = new ArrayList<>();
    for (int dim : List.of(SMALL_DIM, LARGE_DIM)) {
      for (int examples : batches) {
        for (Rule rule : Rule.values()) {
          for (Ids ids : Ids.values()) {
            works.add(work(prefix, dim, examples, rule, ids, examples == LARGE ? 0.4 : goal));
          }
        }
      }
    }
    return works;
  }

  private SparkWork work(String prefix, int dim, int examples, Rule rule, Ids ids, double goal) {
    int steps = steps(dim, examples);
    FmSetup setup =
        new FmSetup(new FmData(ids, examples, examples == LARGE ? 4 : 10), dim, rule, steps);
    String id =
        String.format(
            Locale.ROOT, "%sfm%d-%dk-%s-%s", prefix, dim, examples / 1024, lower(rule), lower(ids));
    String title =
        String.format(
            Locale.ROOT, "%d steps of %,d examples, %d elements a row", steps, examples, dim);
    return new SparkWork(id, title, goal, pace, () -> contestants(setup));
  }

  /**
   * Returns the steps of a run: some seconds of them, since a run copies the table that it begins
   * with.
   */
  private static int steps(int dim, int examples) {
    return (examples == LARGE ? 20 : 100) * SMALL_DIM / dim;
  }

  private static String lower(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }

  private List<Contestant> contestants(FmSetup setup) {
    List<Double> losses = new ArrayList<>();
    return List.of(
        new FmTraining(spark, setup, losses),
        new TorchFmTraining(setup, TorchFmTraining.Kind.SPARSE, losses),
        new TorchFmTraining(setup, TorchFmTraining.Kind.FUSED, losses));
  }
}
