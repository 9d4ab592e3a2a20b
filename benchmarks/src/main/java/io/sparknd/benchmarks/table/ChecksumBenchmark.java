/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.table.TensorTable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;

/** Loads a whole table as a tensor, alternately with and without verification of page checksums. */
final class ChecksumBenchmark {
  private static final String SETTING = "spark.sparknd.verifyChecksums";
  private static final Partitioning CUT = Partitioning.of(8);
  private static final int THREADS = 2;

  /** The highest ratio of times with and without verification that meets the goal. */
  private static final double GOAL = 1.1;

  private final SparkSession spark;
  private final Layout layout;
  private final int rows;
  private final TensorStore store;

  ChecksumBenchmark(SparkSession spark, TableInputs inputs, Layout layout, int rows) {
    this.spark = spark;
    this.layout = layout;
    this.rows = rows;
    this.store = new TensorStore(spark, inputs, Mode.MERGE_ON_READ);
  }

  static String id(Layout layout) {
    return "1M-" + layout.name().toLowerCase(Locale.ROOT) + "-load";
  }

  WorkComparison run(ChangeRounds pace) {
    store.create(layout, rows);
    List<Double> compared = new ArrayList<>();
    List<Double> not = new ArrayList<>();
    for (int round = -pace.warmups(); round < pace.rounds(); round++) {
      boolean first = round % 2 == 0;
      double one = millis(first);
      double other = millis(!first);
      if (round >= 0) {
        compared.add(first ? one : other);
        not.add(first ? other : one);
      }
    }
    spark.conf().unset(SETTING);
    return new WorkComparison(
        id(layout) + ": loading a table",
        THREADS,
        GOAL,
        "ms",
        List.of(
            new PeerResult("checksums compared", Role.OURS, new Samples(compared)),
            new PeerResult("checksums not compared", Role.CORRECT, new Samples(not))));
  }

  private double millis(boolean compares) {
    spark.conf().set(SETTING, compares);
    return Cost.millis(this::load);
  }

  /** Gathers one row, which reads the whole table. */
  private void load() {
    Tensor first = Tensor.wrap(DType.INT64, Shape.of(1, 1), new long[] {0});
    try (DistributedTensor loaded = TensorTable.open(spark, store.table()).load(CUT);
        DistributedTensor row = loaded.gather(GatherCall.of(Gather.strict(), first))) {
      row.collect();
    }
  }
}
