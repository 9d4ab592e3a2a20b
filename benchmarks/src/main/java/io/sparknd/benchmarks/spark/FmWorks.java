/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.spark.FmData.Ids;
import io.sparknd.benchmarks.spark.FmSetup.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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
    return works("", List.of(SMALL, LARGE), 1, this::peers);
  }

  /** Returns the works for two executors in processes of their own. */
  List<SparkWork> clusterWorks() {
    return works("cluster-", List.of(SMALL), 1.5, this::withFloor);
  }

  private List<SparkWork> works(
      String prefix, List<Integer> batches, double goal, Function<FmSetup, List<SparkPeer>> peers) {
    List<SparkWork> works = new ArrayList<>();
    for (int dim : List.of(SMALL_DIM, LARGE_DIM)) {
      for (int examples : batches) {
        for (Rule rule : Rule.values()) {
          for (Ids ids : Ids.values()) {
            FmSetup setup = setup(dim, examples, rule, ids);
            double most = examples == LARGE ? 0.4 : goal;
            works.add(
                new SparkWork(
                    prefix + id(setup), title(setup), most, pace, () -> peers.apply(setup)));
          }
        }
      }
    }
    return works;
  }

  private static FmSetup setup(int dim, int examples, Rule rule, Ids ids) {
    FmData data = new FmData(ids, examples, examples == LARGE ? 4 : 10);
    return new FmSetup(data, dim, rule, steps(dim, examples));
  }

  private static String id(FmSetup setup) {
    FmData data = setup.data();
    int thousands = data.examples() / 1024;
    return String.format(
        Locale.ROOT,
        "fm%d-%dk-%s-%s",
        setup.dim(),
        thousands,
        lower(setup.rule()),
        lower(data.ids()));
  }

  private static String title(FmSetup setup) {
    return String.format(
        Locale.ROOT,
        "%d steps of %,d examples, %d elements a row",
        setup.steps(),
        setup.data().examples(),
        setup.dim());
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

  private List<SparkPeer> peers(FmSetup setup) {
    List<Double> losses = new ArrayList<>();
    return List.of(
        new FmTraining(spark, setup, losses),
        new TorchFmTraining(setup, TorchFmTraining.Kind.SPARSE, losses),
        new TorchFmTraining(setup, TorchFmTraining.Kind.FUSED, losses));
  }

  private List<SparkPeer> withFloor(FmSetup setup) {
    List<SparkPeer> peers = new ArrayList<>(peers(setup));
    peers.add(new FmExchange(spark, setup));
    return peers;
  }
}
