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
 * #table} generates the table in docs/reference/metrics.md.
 */
public enum SparkNdMetric {
  SCATTERS(
      "scatters",
      Side.DRIVER,
      Kind.COUNTER,
      "scatters",
      "scatters into distributed tensors, from Java and from table functions, and "
          + "reads of tables as tensors"),
  SCATTER_UPDATES(
      "scatter.updates",
      Side.DRIVER,
      Kind.COUNTER,
      "updates",
      "slice updates received by scatters"),
  SCATTER_DROPPED(
      "scatter.dropped",
      Side.DRIVER,
      Kind.COUNTER,
      "updates",
      "updates dropped because their index is out of bounds"),
  SCATTER_COMBINED(
      "scatter.combined",
      Side.DRIVER,
      Kind.COUNTER,
      "updates",
      "updates combined on the map side, before the shuffle"),
  SCATTER_BYTES(
      "scatter.bytesExchanged",
      Side.DRIVER,
      Kind.COUNTER,
      "bytes",
      "bytes of offsets and values shuffled, before compression"),
  SCATTER_BLOCKS(
      "scatter.blocksCopied",
      Side.DRIVER,
      Kind.COUNTER,
      "blocks",
      "blocks copied on write, not shared with the previous version; 0 for table "
          + "functions, whose blocks are created as their rows are read"),
  SCATTER_HOT_SLICES(
      "scatter.hotSlices",
      Side.DRIVER,
      Kind.COUNTER,
      "slices",
      "hot slices folded in separate tasks"),
  SCATTER_SLOWEST_TASK(
      "scatter.slowestTaskMillis",
      Side.DRIVER,
      Kind.HISTOGRAM,
      "ms",
      "maximum task time of a scatter to read and fold its updates; of table functions only with"
          + " `duplicates => 'error'`"),
  GATHERS(
      "gathers",
      Side.DRIVER,
      Kind.COUNTER,
      "gathers",
      "gathers whose indices were validated; slices are fetched when the result is used"),
  LOOKUPS(
      "lookups",
      Side.DRIVER,
      Kind.COUNTER,
      "lookups",
      "embedding lookups whose ids were validated; rows are fetched when the result is used"),
  TABLE_COMMITS(
      "table.commits",
      Side.DRIVER,
      Kind.COUNTER,
      "commits",
      "commits of scatters to tensor tables and feature tables"),
  TABLE_REPLAYS(
      "table.replays",
      Side.DRIVER,
      Kind.COUNTER,
      "calls",
      "scatters and evictions skipped because the table already held their batch id"),
  TABLE_COMPACTIONS(
      "table.compactions", Side.DRIVER, Kind.COUNTER, "commits", "commits of compactions"),
  TABLE_LOST_RACES(
      "table.lostRaces",
      Side.DRIVER,
      Kind.COUNTER,
      "attempts",
      "commit attempts retried after a conflict with another writer"),
  TABLE_BLOCKS_REDONE(
      "table.blocksRedone",
      Side.DRIVER,
      Kind.COUNTER,
      "blocks",
      "blocks folded again in such retries, because the other writer changed them"),
  TABLE_UPDATES(
      "table.updates", Side.DRIVER, Kind.COUNTER, "updates", "updates in committed scatters"),
  TABLE_DROPPED(
      "table.dropped",
      Side.DRIVER,
      Kind.COUNTER,
      "updates",
      "updates in successful scatters dropped because their index is out of bounds, or their tile"
          + " was evicted before"),
  TABLE_ROWS("table.rows", Side.DRIVER, Kind.COUNTER, "rows", "rows changed by committed scatters"),
  TABLE_BYTES(
      "table.bytesWritten",
      Side.DRIVER,
      Kind.COUNTER,
      "bytes",
      "bytes of files added by commits of scatters, evictions and compactions"),
  TRAINING_STEPS(
      "training.steps", Side.DRIVER, Kind.COUNTER, "steps", "optimizer steps of embedding tables"),
  TRAINING_EXAMPLES(
      "training.examples", Side.DRIVER, Kind.COUNTER, "examples", "examples in their mini-batches"),
  TRAINING_VALIDATIONS(
      "training.validations", Side.DRIVER, Kind.COUNTER, "validations", "validations of trainings"),
  TRAINING_CHECKPOINTS(
      "training.checkpoints",
      Side.DRIVER,
      Kind.COUNTER,
      "checkpoints",
      "checkpoints that trainings saved to resume from"),

  TASK_FOLDS(
      "task.folds",
      Side.EXECUTOR,
      Kind.COUNTER,
      "tasks",
      "tasks that folded updates into a partition, hot slices or blocks of a table"),
  TASK_SCALAR_FOLDS(
      "task.scalarFolds",
      Side.EXECUTOR,
      Kind.COUNTER,
      "tasks",
      "fold tasks that ran the kernel `scalar`: the JVM lacks "
          + "`--add-modules=jdk.incubator.vector`, or `scalar` was configured"),
  TASK_CUDF_FOLDS(
      "task.cudfFolds",
      Side.EXECUTOR,
      Kind.COUNTER,
      "tasks",
      "fold tasks that ran the kernel `cudf`: on a GPU, except for parts that did not"
          + " fit in its memory"),
  TASK_UPDATES(
      "task.updates", Side.EXECUTOR, Kind.COUNTER, "updates", "slice updates folded by fold tasks"),
  TASK_FOLD_NANOS(
      "task.foldNanos",
      Side.EXECUTOR,
      Kind.COUNTER,
      "ns",
      "nanoseconds that fold tasks took to read and fold; for tables, also to write"),
  TASK_KEYS_NOT_FOUND(
      "task.keysNotFound",
      Side.EXECUTOR,
      Kind.COUNTER,
      "rows",
      "rows that gathers from feature tables, and gathers as of a time, looked up without finding"
          + " their key"),
  TASK_STEP_NANOS(
      "task.stepNanos",
      Side.EXECUTOR,
      Kind.COUNTER,
      "ns",
      "nanoseconds that reduce-side tasks took to sum gradients and run the optimizer");

  private final String label;
  private final Side side;
  private final Kind kind;
  private final String unit;
  private final String meaning;

  SparkNdMetric(String label, Side side, Kind kind, String unit, String meaning) {
    this.label = label;
    this.side = side;
    this.kind = kind;
    this.unit = unit;
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
    MetricRegistration.add(this, value);
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
    return "| metric | kind | unit | process | meaning |\n| --- | --- | --- | --- | --- |\n"
        + Arrays.stream(values())
            .map(
                each ->
                    "| `%s` | %s | %s | %s | %s |"
                        .formatted(
                            each.label, word(each.kind), each.unit, word(each.side), each.meaning))
            .collect(Collectors.joining("\n"));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
