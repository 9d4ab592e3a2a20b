/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.MetricRegistry;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * SparkND's metrics in Spark's metrics system. The driver counts a call when it succeeds, from the
 * task results that Spark accepted, so a task that ran twice counts once. Lost commit races count
 * when they are lost, and training steps when they end. Executors count work as it happens. {@link
 * #table} generates the table in docs/monitoring.md.
 */
public enum SparkNdMetric {
  SCATTERS(
      "scatters",
      Side.DRIVER,
      Kind.COUNTER,
      "scatters into distributed tensors: those of Java and of table functions, and those that make"
          + " a tensor of the rows of a table"),
  SCATTER_UPDATES("scatter.updates", Side.DRIVER, Kind.COUNTER, "updates that they got, of slices"),
  SCATTER_DROPPED(
      "scatter.dropped",
      Side.DRIVER,
      Kind.COUNTER,
      "updates whose index was out of bounds where that is ignored"),
  SCATTER_COMBINED(
      "scatter.combined",
      Side.DRIVER,
      Kind.COUNTER,
      "updates that were folded into others before they were sent"),
  SCATTER_BYTES(
      "scatter.bytesExchanged",
      Side.DRIVER,
      Kind.COUNTER,
      "offsets and values that went to the partitions, before compression"),
  SCATTER_BLOCKS(
      "scatter.blocksCopied",
      Side.DRIVER,
      Kind.COUNTER,
      "blocks that new versions do not share with those before; none for table functions, whose"
          + " blocks are made when their rows are read"),
  SCATTER_HOT_SLICES(
      "scatter.hotSlices",
      Side.DRIVER,
      Kind.COUNTER,
      "slices of so many updates that tasks of their own folded them"),
  SCATTER_SLOWEST_TASK(
      "scatter.slowestTaskMillis",
      Side.DRIVER,
      Kind.HISTOGRAM,
      "the longest time that one task of a scatter took to read and fold its updates; none for"
          + " table functions"),
  GATHERS(
      "gathers",
      Side.DRIVER,
      Kind.COUNTER,
      "gathers whose indices were all looked at; their slices are fetched when the result is used"),
  LOOKUPS(
      "lookups",
      Side.DRIVER,
      Kind.COUNTER,
      "embedding lookups whose ids were all looked at; rows are fetched when the result is used"),
  TABLE_COMMITS("table.commits", Side.DRIVER, Kind.COUNTER, "commits of scatters into tables"),
  TABLE_REPLAYS(
      "table.replays",
      Side.DRIVER,
      Kind.COUNTER,
      "scatters into tables that did nothing, since their batch was there already"),
  TABLE_COMPACTIONS("table.compactions", Side.DRIVER, Kind.COUNTER, "commits of compactions"),
  TABLE_LOST_RACES(
      "table.lostRaces",
      Side.DRIVER,
      Kind.COUNTER,
      "attempts to commit that came after another writer's, and were made again"),
  TABLE_BLOCKS_REDONE(
      "table.blocksRedone",
      Side.DRIVER,
      Kind.COUNTER,
      "blocks that were folded again for it, since the other writer had changed them"),
  TABLE_UPDATES(
      "table.updates", Side.DRIVER, Kind.COUNTER, "updates of the scatters that were committed"),
  TABLE_DROPPED(
      "table.dropped", Side.DRIVER, Kind.COUNTER, "those of them whose index was out of bounds"),
  TABLE_ROWS("table.rows", Side.DRIVER, Kind.COUNTER, "rows that commits of scatters changed"),
  TABLE_BYTES(
      "table.bytesWritten",
      Side.DRIVER,
      Kind.COUNTER,
      "bytes in the files that commits added, of scatters and compactions"),
  TRAINING_STEPS(
      "training.steps", Side.DRIVER, Kind.COUNTER, "steps of optimizers of embedding tables"),
  TRAINING_EXAMPLES(
      "training.examples", Side.DRIVER, Kind.COUNTER, "examples in their mini-batches"),

  TASK_FOLDS(
      "task.folds",
      Side.EXECUTOR,
      Kind.COUNTER,
      "tasks that folded updates: into a partition, hot slices or blocks of a table"),
  TASK_SCALAR_FOLDS(
      "task.scalarFolds",
      Side.EXECUTOR,
      Kind.COUNTER,
      "those of them whose kernel was `scalar`: the JVM lacks `--add-modules=jdk.incubator.vector`,"
          + " or it was asked for"),
  TASK_CUDF_FOLDS(
      "task.cudfFolds",
      Side.EXECUTOR,
      Kind.COUNTER,
      "those of them whose kernel was `cudf`: on a GPU, but for what it had no room for"),
  TASK_UPDATES("task.updates", Side.EXECUTOR, Kind.COUNTER, "updates that they folded, of slices"),
  TASK_FOLD_NANOS(
      "task.foldNanos",
      Side.EXECUTOR,
      Kind.COUNTER,
      "nanoseconds that they took to read and fold; for tables, to write as well"),
  TASK_STEP_NANOS(
      "task.stepNanos",
      Side.EXECUTOR,
      Kind.COUNTER,
      "nanoseconds in which owners of embedding rows took in gradients and ran the optimizer");

  private final String label;
  private final Side side;
  private final Kind kind;
  private final String meaning;

  SparkNdMetric(String label, Side side, Kind kind, String meaning) {
    this.label = label;
    this.side = side;
    this.kind = kind;
    this.meaning = meaning;
  }

  /** The process that counts it. */
  enum Side {
    DRIVER,
    EXECUTOR
  }

  /** How values are aggregated. */
  enum Kind {
    /** Sums the values. */
    COUNTER {
      @Override
      LongConsumer in(MetricRegistry registry, String label) {
        Counter counter = registry.counter(label);
        return counter::inc;
      }
    },
    /** Records the distribution of the values; the last minutes weigh most. */
    HISTOGRAM {
      @Override
      LongConsumer in(MetricRegistry registry, String label) {
        Histogram histogram = registry.histogram(label);
        return histogram::update;
      }
    };

    abstract LongConsumer in(MetricRegistry registry, String label);
  }

  /** Adds a value; does nothing if no plugin has registered the metric. */
  public void add(long value) {
    MetricRegistration.told(this, value);
  }

  Side side() {
    return side;
  }

  /** The metric's name, without the plugin's prefix. */
  String label() {
    return label;
  }

  LongConsumer in(MetricRegistry registry) {
    return kind.in(registry, label);
  }

  /** Returns all metrics as a Markdown table. */
  static String table() {
    return "| metric | | of | |\n| --- | --- | --- | --- |\n"
        + Arrays.stream(values())
            .map(
                each ->
                    "| `%s` | %s | %s | %s |"
                        .formatted(each.label, word(each.kind), word(each.side), each.meaning))
            .collect(Collectors.joining("\n"));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
