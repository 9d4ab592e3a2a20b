/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.metrics.FoldListener;
import io.sparknd.metrics.MissingKeyListener;
import io.sparknd.metrics.ScatterMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.execution.metric.SQLMetrics$;
import scala.Tuple2;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;

/** The metrics of a table function in Spark's SQL tab. */
record QueryMetrics(java.util.Map<String, SQLMetric> all) {
  private static final String ROWS = "numOutputRows";
  private static final String UPDATES = "updates";
  private static final String COMBINED = "combined";
  private static final String DUPLICATES = "duplicates";
  private static final String DROPPED = "dropped";
  private static final String BYTES = "bytesExchanged";
  private static final String FOLDED = "folded";
  private static final String BLOCKS = "blocksWritten";
  private static final String FOLD_TIME = "foldTime";
  private static final String MISSING_KEYS = "keysNotFound";

  static QueryMetrics of(SparkContext spark, TensorOperation operation) {
    java.util.Map<String, SQLMetric> all = new LinkedHashMap<>();
    all.put(ROWS, SQLMetrics.createMetric(spark, "number of output rows"));
    if (operation instanceof ScatterOperation) {
      all.put(UPDATES, SQLMetrics.createMetric(spark, "updates"));
      all.put(DUPLICATES, SQLMetrics.createMetric(spark, "duplicates"));
      all.put(COMBINED, SQLMetrics.createMetric(spark, "updates combined before the shuffle"));
      all.put(DROPPED, SQLMetrics.createMetric(spark, "updates dropped, index out of bounds"));
      all.put(BYTES, SQLMetrics.createSizeMetric(spark, "bytes exchanged", 0));
      all.put(BLOCKS, SQLMetrics.createMetric(spark, "blocks written"));
      // Spark shows the minimum, median and maximum over tasks of these two
      all.put(FOLDED, SQLMetrics.createAverageMetric(spark, "updates folded per task"));
      all.put(FOLD_TIME, SQLMetrics.createTimingMetric(spark, "time to fold", 0));
    }
    if (operation instanceof KeyedGatherRows) {
      all.put(MISSING_KEYS, SQLMetrics.createMetric(spark, "rows whose key is not in the table"));
    }
    return new QueryMetrics(all);
  }

  Map<String, SQLMetric> byName() {
    return Map$.MODULE$.from(
        ScalaSeqs.of(
            all.entrySet().stream().map(e -> new Tuple2<>(e.getKey(), e.getValue())).toList()));
  }

  private SQLMetric metric(String name) {
    return Objects.requireNonNull(all.get(name));
  }

  /** Returns a listener that counts folds in the tasks. */
  FoldListener folds() {
    if (!all.containsKey(FOLDED)) {
      return FoldListener.NONE;
    }
    SQLMetric folded = metric(FOLDED);
    SQLMetric blocks = metric(BLOCKS);
    SQLMetric time = metric(FOLD_TIME);
    SQLMetric duplicates = metric(DUPLICATES);
    return (updates, slices, blocksCopied, nanos) -> {
      duplicates.add(updates - slices);
      SQLMetrics$.MODULE$.setDoubleForAverageMetrics(folded, (double) updates);
      blocks.add(blocksCopied);
      time.add(TimeUnit.NANOSECONDS.toMillis(nanos));
    };
  }

  /** Returns a listener that counts missing keys in the tasks. */
  MissingKeyListener missingKeys() {
    if (!all.containsKey(MISSING_KEYS)) {
      return MissingKeyListener.NONE;
    }
    SQLMetric missing = metric(MISSING_KEYS);
    return missing::add;
  }

  /** Posts the counts of the map side, which the driver holds. */
  void post(SparkContext spark, ScatterMetrics scatter) {
    metric(UPDATES).set(scatter.updates());
    metric(COMBINED).set(scatter.combined());
    SQLMetric duplicates = metric(DUPLICATES);
    long ofTasks = duplicates.value(); // of hot slices: Spark adds them to what is posted
    duplicates.set(scatter.combined()); // folds() counts the other duplicates
    metric(DROPPED).set(scatter.dropped());
    metric(BYTES).set(scatter.bytesExchanged());
    List<SQLMetric> known =
        Stream.of(UPDATES, DUPLICATES, COMBINED, DROPPED, BYTES).map(this::metric).toList();
    String execution = spark.getLocalProperty(SQLExecution.EXECUTION_ID_KEY());
    SQLMetrics.postDriverMetricUpdates(spark, execution, ScalaSeqs.of(known));
    duplicates.add(ofTasks);
  }

  /** Returns the counter of output rows. */
  SQLMetric rows() {
    return metric(ROWS);
  }
}
