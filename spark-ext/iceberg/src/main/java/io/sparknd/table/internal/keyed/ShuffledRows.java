/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The rows of all stages of a commit, shuffled to the tasks that own their blocks. In a task, rows
 * are ordered by block, stage, key and the order in which they apply.
 */
public final class ShuffledRows {
  private static final String BLOCK = "block";
  private static final String STAGE = "stage";
  private static final String KEY = "key";
  private static final String POSITION = "position";

  /** Number of columns before those of the stages. */
  private static final int FIXED = 4;

  /** Rows of one partition of the input are numbered below 2^33, as Spark does. */
  static final int POSITION_BITS = 33;

  private final JavaRDD<InternalRow> rows;
  private final Layout layout;
  private final RowErrors rowErrors;
  private final DroppedRows dropped;

  private ShuffledRows(
      JavaRDD<InternalRow> rows, Layout layout, RowErrors rowErrors, DroppedRows dropped) {
    this.rows = rows;
    this.layout = layout;
    this.rowErrors = rowErrors;
    this.dropped = dropped;
  }

  /**
   * What shuffled rows are, and where their columns are.
   *
   * @param stages the stages in the order in which they apply
   * @param firstInputs ordinal of each stage's first input
   * @param limit limit of the times of updates, which the stages apply
   */
  public record Layout(List<FeatureStage> stages, List<Integer> firstInputs, EventTimeLimit limit)
      implements Serializable {
    long block(InternalRow row) {
      return row.getLong(0);
    }

    int stage(InternalRow row) {
      return row.getInt(1);
    }

    byte[] key(InternalRow row) {
      return row.getBinary(2);
    }

    int firstInput(InternalRow row) {
      return firstInputs.get(stage(row));
    }
  }

  /**
   * Shuffles the rows of stages; runs the map side at once if Spark's adaptive execution is on.
   *
   * @param limit limit of the times of updates
   * @param tasks number of tasks
   * @throws io.sparknd.tensor.SparkNdException if columns are missing or of the wrong type, or a
   *     key is rejected
   */
  public static ShuffledRows of(
      SparkSession spark,
      StoredFeatures table,
      List<StagedFeatures> staged,
      EventTimeLimit limit,
      int tasks) {
    RowErrors rowErrors = RowErrors.registered(spark, Shape.of());
    DroppedRows dropped = DroppedRows.registered(spark);
    List<StageColumns> stages =
        staged.stream().map(of -> StageColumns.of(table, of, limit)).toList();
    SharedColumns shared = new SharedColumns(List.of(BLOCK, STAGE, KEY, POSITION), stages);
    List<Dataset<Row>> all = new ArrayList<>();
    List<Integer> firstInputs = new ArrayList<>();
    for (int number = 0; number < stages.size(); number++) {
      KeyedRows keyed = new KeyedRows(table, number, staged.get(number).badKeys());
      all.add(shared.widened(number, keyed.of(spark, stages.get(number), rowErrors, dropped)));
      firstInputs.add(shared.firstInput(number));
    }
    List<Column> order = new ArrayList<>(List.of(col(BLOCK), col(STAGE), col(KEY)));
    shared.sortColumns().forEach(order::add);
    order.add(col(POSITION));
    Dataset<Row> shuffled =
        union(all)
            .repartitionById(tasks, expr("CAST(pmod(block, " + tasks + ") AS INT)"))
            .sortWithinPartitions(order.toArray(Column[]::new));
    JavaRDD<InternalRow> sorted = InternalRows.of(shuffled);
    rowErrors.throwFirst();
    Layout layout =
        new Layout(stages.stream().map(StageColumns::stage).toList(), firstInputs, limit);
    return new ShuffledRows(sorted, layout, rowErrors, dropped);
  }

  /** Returns one union of all; in halves, since each union of Spark copies those that it holds. */
  private static Dataset<Row> union(List<Dataset<Row>> all) {
    int half = all.size() / 2;
    return half == 0
        ? all.get(0)
        : union(all.subList(0, half)).union(union(all.subList(half, all.size())));
  }

  /** Returns the partition of the input that a row came from. */
  static int source(InternalRow row) {
    return (int) (row.getLong(FIXED - 1) >>> POSITION_BITS);
  }

  /** Returns a row's position in its partition of the input. */
  static long position(InternalRow row) {
    return row.getLong(FIXED - 1) & (1L << POSITION_BITS) - 1;
  }

  static long position(int partition, long row) {
    return (long) partition << POSITION_BITS | row;
  }

  public JavaRDD<InternalRow> rows() {
    return rows;
  }

  public Layout layout() {
    return layout;
  }

  public RowErrors rowErrors() {
    return rowErrors;
  }

  /** Returns the number of rows that were dropped because of their keys. */
  public long dropped() {
    return dropped.value();
  }
}
