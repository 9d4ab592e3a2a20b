/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.scan.PlannedRows;
import io.sparknd.cluster.internal.spark.CaseClass;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.QueryContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.RowToColumnarTransition;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/** Runs a {@link TensorQuery}. Produces rows or Arrow batches, as the parent operator requires. */
public final class TensorQueryExec extends SparkPlan implements CaseClass {
  private static final long serialVersionUID = 1;

  private final TensorOperation operation;
  private final int tables;
  private final Seq<SparkPlan> children;
  private final Seq<Attribute> output;
  private final Seq<Statistics> sizes;
  private final Seq<Expression> keys;
  private transient @Nullable QueryMetrics metrics;

  /**
   * Creates the operator.
   *
   * @param tables number of children that are the function's tables; one further child holds the
   *     index columns of the first
   * @param sizes of the children, as estimated by the planner
   * @param keys filters on the keys of a join, which Spark evaluates before this operator runs
   */
  public TensorQueryExec(
      TensorOperation operation,
      int tables,
      Seq<SparkPlan> children,
      Seq<Attribute> output,
      Seq<Statistics> sizes,
      Seq<Expression> keys) {
    this.operation = operation;
    this.tables = tables;
    this.children = children;
    this.output = output;
    this.sizes = sizes;
    this.keys = keys;
  }

  private synchronized QueryMetrics queryMetrics() {
    if (metrics == null) {
      metrics = QueryMetrics.of(sparkContext(), operation);
    }
    return metrics;
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return queryMetrics().byName();
  }

  @Override
  public RDD<InternalRow> doExecute() {
    return rows().rdd();
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    StructType schema = operation.schema();
    String zone = conf().sessionLocalTimeZone();
    int most = conf().arrowMaxRecordsPerBatch();
    return rows().mapPartitions(rows -> ArrowRows.of(rows, schema, zone, most)).rdd();
  }

  private JavaRDD<InternalRow> rows() {
    QueryContext place = origin().context();
    try {
      return PartitionTasks.of(run(), new RowsWithQueryContext.Task(queryMetrics().rows(), place));
    } catch (SparkNdException e) {
      throw SparkNdRuntimeException.at(place, e);
    }
  }

  private JavaRDD<InternalRow> run() {
    List<Dataset<Row>> rows = IntStream.range(0, tables).mapToObj(this::rows).toList();
    Optional<Supplier<Dataset<Row>>> indices =
        children.size() > tables ? Optional.of(() -> rows(tables)) : Optional.empty();
    QueryMetrics counted = queryMetrics();
    TableQuery query = restricted().run(new OperationInputs(rows, indices), counted);
    query.scatter().ifPresent(scatter -> counted.post(sparkContext(), scatter));
    QueryCleanupListener.closeAfterQuery(sparkContext(), query.toClose());
    query.scatter().ifPresent(operation::requireExact);
    return query.rows();
  }

  /** Returns the rows of a child, the last of which may be the index columns of the first. */
  private Dataset<Row> rows(int child) {
    return PlannedRows.of(
        children.apply(child), sizes.apply(child), operation.argument(child < tables ? child : 0));
  }

  private TensorOperation restricted() {
    List<Attribute> columns = ScalaSeqs.list(output);
    return operation instanceof ScatterRows scatter
        ? JoinKeys.restricted(scatter, columns.subList(0, scatter.depth()), ScalaSeqs.list(keys))
        : operation;
  }

  @Override
  public boolean supportsColumnar() {
    return true;
  }

  @Override
  public boolean supportsRowBased() {
    return true;
  }

  @Override
  public Seq<SparkPlan> children() {
    return children;
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public AttributeSet producedAttributes() {
    return ScalaSeqs.set(output);
  }

  @Override
  public AttributeSet references() {
    return inputSet();
  }

  @Override
  public String argString(int maxFields) {
    return operation
        + JoinKeys.text(ScalaSeqs.list(keys), ScalaSeqs.list(output))
        + ", kernel "
        + kernel();
  }

  /**
   * Returns the kernel provider of this JVM unless the session sets one; executors choose their
   * own.
   */
  private String kernel() {
    String requested = SparkNdSetting.KERNEL.in(conf());
    return requested.equals("auto") ? KernelProviders.named(requested).name() : requested;
  }

  /**
   * Removes the row-to-columnar conversions that Spark inserts for columnar operators; this
   * operator reads rows and columns.
   */
  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> plans) {
    List<SparkPlan> asPlanned =
        ScalaSeqs.list(plans).stream().map(TensorQueryExec::withoutCopy).toList();
    return new TensorQueryExec(operation, tables, ScalaSeqs.of(asPlanned), output, sizes, keys);
  }

  private static SparkPlan withoutCopy(SparkPlan child) {
    return child instanceof RowToColumnarTransition copy
        ? ScalaSeqs.list(copy.children()).get(0)
        : child;
  }

  @Override
  public List<Object> fields() {
    return List.of(operation, tables, children, output, sizes, keys);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorQueryExec exec
        && operation.equals(exec.operation)
        && children.equals(exec.children)
        && output.equals(exec.output)
        && keys.equals(exec.keys);
  }

  @Override
  public int hashCode() {
    return Objects.hash(operation, children, output, keys);
  }
}
