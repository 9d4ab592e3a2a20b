/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import io.sparknd.cluster.internal.columnar.SliceColumns;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SQLExecutionRDD;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The rows of a Dataset as columnar batches, if its plan has them: a vectorized scan or cached
 * columns with at most a selection of columns above.
 *
 * @param batches in the partitions and order of the rows; each is valid only until the next is read
 * @param ordinals positions of the Dataset's columns in a batch
 */
public record ColumnarRows(JavaRDD<ColumnarBatch> batches, List<Integer> ordinals) {

  /** Returns the filter that a scan may apply in part, given the names of the Dataset's columns. */
  public interface ScanFilter {
    Optional<Filter> on(List<String> columns);
  }

  /** Returns the batches of {@code dataset}; empty if its plan produces rows. */
  public static Optional<ColumnarRows> of(Dataset<Row> dataset) {
    return of(dataset, columns -> columns.scan().executeColumnar());
  }

  /**
   * Returns the batches of a Dataset whose list columns are all slices; empty if its plan produces
   * rows. Files are read in bulk where possible.
   *
   * @param rows the most rows in a batch that is read in bulk
   * @param filter rows that do not pass it may be left out
   */
  public static Optional<ColumnarRows> of(
      Dataset<Row> dataset, SliceColumns slices, int rows, ScanFilter filter) {
    return of(
        dataset,
        columns ->
            filter
                .on(columns.names())
                .flatMap(condition -> FilteredScan.of(columns.scan(), condition))
                .or(() -> PagedScan.of(columns.scan(), slices, rows))
                .orElseGet(columns.scan()::executeColumnar));
  }

  private static Optional<ColumnarRows> of(
      Dataset<Row> dataset, Function<Columns, RDD<?>> reading) {
    var classic = ClassicSpark.of(dataset);
    return Columns.of(classic.queryExecution().executedPlan())
        .map(
            columns ->
                new ColumnarRows(batches(classic, reading.apply(columns)), columns.ordinals()));
  }

  /** Gives tasks the configuration of the session, as Spark does for rows. */
  @SuppressWarnings("unchecked")
  private static JavaRDD<ColumnarBatch> batches(
      org.apache.spark.sql.classic.Dataset<Row> dataset, RDD<?> scan) {
    RDD<InternalRow> erased = (RDD<InternalRow>) scan;
    RDD<?> configured = new SQLExecutionRDD(erased, dataset.sparkSession().sessionState().conf());
    return ((RDD<ColumnarBatch>) configured).toJavaRDD();
  }

  /**
   * Columns that a plan passes unchanged from an operator that produces batches.
   *
   * @param scan the operator
   * @param ordinals positions of the columns in its output
   */
  private record Columns(SparkPlan scan, List<Integer> ordinals) {

    static Optional<Columns> of(SparkPlan plan) {
      if (plan instanceof AdaptiveSparkPlanExec adaptive) {
        return of(adaptive.finalPhysicalPlan());
      }
      if (plan instanceof WholeStageCodegenExec generated) {
        return of(generated.child());
      }
      if (plan instanceof InputAdapter adapter) {
        return of(adapter.child());
      }
      if (plan instanceof PlannedRowsExec part) {
        return of(part.planned());
      }
      if (plan instanceof TableCacheQueryStageExec stage) {
        return of(stage.plan());
      }
      if (plan instanceof ProjectExec project) {
        return of(project.child()).flatMap(columns -> columns.chosen(project));
      }
      // no other transition: the JVM cannot read the batches of, for example, a GPU
      if (plan instanceof ColumnarToRowExec transition) {
        return Optional.of(all(source(transition.child())));
      }
      return plan instanceof InMemoryTableScanExec cached && cached.supportsColumnar()
          ? Optional.of(all(cached))
          : Optional.empty();
    }

    /**
     * Returns the operator that produces the batches of {@code plan}, below operators that only
     * pass them on.
     */
    private static SparkPlan source(SparkPlan plan) {
      if (plan instanceof InputAdapter adapter) {
        return source(adapter.child());
      }
      return plan instanceof PlannedRowsExec part ? source(part.planned()) : plan;
    }

    /** Returns the names that the columns have in the scan. */
    List<String> names() {
      List<Attribute> shown = CollectionConverters.asJava(scan.output());
      return ordinals.stream().map(i -> shown.get(i).name()).toList();
    }

    private static Columns all(SparkPlan scan) {
      return new Columns(scan, IntStream.range(0, scan.output().size()).boxed().toList());
    }

    /** Returns the columns that {@code project} selects among these; empty if it computes any. */
    private Optional<Columns> chosen(ProjectExec project) {
      List<Attribute> input = CollectionConverters.asJava(project.child().output());
      List<Integer> chosen = new ArrayList<>();
      for (NamedExpression column : CollectionConverters.asJava(project.projectList())) {
        Expression source = column instanceof Alias alias ? alias.child() : (Expression) column;
        if (!(source instanceof Attribute attribute)) {
          return Optional.empty();
        }
        chosen.add(ordinals.get(position(input, attribute)));
      }
      return Optional.of(new Columns(scan, chosen));
    }

    private static int position(List<Attribute> input, Attribute attribute) {
      return IntStream.range(0, input.size())
          .filter(i -> input.get(i).exprId().equals(attribute.exprId()))
          .findFirst()
          .orElseThrow();
    }
  }
}
