/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.CaseClass;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionSet;
import org.apache.spark.sql.catalyst.expressions.ExpressionSet$;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.math.BigInt;

/** The logical node of every table function. */
public final class TensorQuery extends LogicalPlan implements CaseClass {
  private static final long serialVersionUID = 1;

  /** Tables of a function whose first one is a tensor. */
  private static final int TABLES = 2;

  private final TensorOperation operation;
  private final Seq<LogicalPlan> children;
  private final Seq<Attribute> output;
  private final Seq<Expression> keys;
  private final Seq<Expression> sources;

  /**
   * Creates a query.
   *
   * @param keys filters on index columns of {@code output}, which Spark evaluates before a query of
   *     slices that a join names
   * @param sources a {@link StoredTableExpression} if the query reads a stored table
   */
  public TensorQuery(
      TensorOperation operation,
      Seq<LogicalPlan> children,
      Seq<Attribute> output,
      Seq<Expression> keys,
      Seq<Expression> sources) {
    this.operation = operation;
    this.children = children;
    this.output = output;
    this.keys = keys;
    this.sources = sources;
  }

  /**
   * Returns a query over {@code tables}. The output columns are aliased, because in a self-join
   * Spark distinguishes two copies of a query only by the aliases of a projection.
   *
   * @throws io.sparknd.tensor.SparkNdException if the active session has no strategy for it
   */
  public static LogicalPlan of(TensorOperation operation, List<TableArgument> tables) {
    return of(operation, tables, List.of());
  }

  /** Returns a query over {@code tables} that reads the stored table {@code source}, too. */
  static LogicalPlan of(
      TensorOperation operation, List<TableArgument> tables, TableArgument source) {
    Optional<DataSourceV2Relation> relation = TensorRelations.relation(source);
    return of(operation, tables, relation.stream().map(StoredTableExpression::of).toList());
  }

  private static LogicalPlan of(
      TensorOperation operation, List<TableArgument> tables, List<StoredTableExpression> sources) {
    ExtensionCheck.ofActiveSession();
    Seq<Attribute> output = ScalaSeqs.of(attributes(operation.schema()));
    List<LogicalPlan> children = new ArrayList<>();
    tables.forEach(table -> children.add(table.plan()));
    LogicalPlan query =
        new TensorQuery(
            operation,
            ScalaSeqs.of(children),
            output,
            ScalaSeqs.of(List.of()),
            ScalaSeqs.of(List.copyOf(sources)));
    List<NamedExpression> aliases =
        ScalaSeqs.list(output).stream().map(column -> alias(column, column.name())).toList();
    return project(aliases, query);
  }

  /** Returns new columns of a schema. */
  static List<Attribute> attributes(StructType schema) {
    return ScalaSeqs.list(DataTypeUtils.toAttributes(schema)).stream()
        .map(Attribute.class::cast)
        .toList();
  }

  static NamedExpression alias(Expression value, String name) {
    return new Alias(
        value,
        name,
        NamedExpression.newExprId(),
        ScalaSeqs.of(List.of()),
        Option.empty(),
        ScalaSeqs.of(List.of()));
  }

  static LogicalPlan project(List<NamedExpression> columns, LogicalPlan plan) {
    return new Project(ScalaSeqs.of(columns), plan);
  }

  TensorOperation operation() {
    return operation;
  }

  /** Returns another query in the place of this one. */
  TensorQuery with(
      TensorOperation other, List<LogicalPlan> plans, List<? extends Attribute> columns) {
    return CurrentOrigin.withOrigin(
        origin(),
        () ->
            new TensorQuery(
                other, ScalaSeqs.of(plans), ScalaSeqs.of(List.copyOf(columns)), keys, sources));
  }

  /** Returns this query with another version of its stored table. */
  TensorQuery with(TensorOperation other) {
    return CurrentOrigin.withOrigin(
        origin(), () -> new TensorQuery(other, children, output, keys, sources));
  }

  /**
   * Returns the stored table that this query reads; empty if its children are all that it reads.
   */
  Optional<StoredTableExpression> source() {
    return ScalaSeqs.list(sources).stream()
        .filter(StoredTableExpression.class::isInstance)
        .map(StoredTableExpression.class::cast)
        .findFirst();
  }

  /** Returns this query of slices that pass filters on the keys of a join. */
  TensorQuery restrictedBy(List<Expression> filters) {
    return CurrentOrigin.withOrigin(
        origin(),
        () -> new TensorQuery(operation, children, output, ScalaSeqs.of(filters), sources));
  }

  Seq<Expression> keys() {
    return keys;
  }

  List<Attribute> columns() {
    return ScalaSeqs.list(output);
  }

  /** Returns the rows of a gather, or the updates of a scatter. */
  LogicalPlan last() {
    return children.apply(children.size() - 1);
  }

  /** Returns the tensor's table and its index columns, if the query has such children. */
  List<LogicalPlan> exceptLast() {
    return ScalaSeqs.list(children).subList(0, children.size() - 1);
  }

  /**
   * Returns the index columns of the tensor, outermost dimension first.
   *
   * @param tensor one of {@link #exceptLast}
   */
  List<Attribute> tensorIndices(LogicalPlan tensor) {
    List<Attribute> shown = ScalaSeqs.list(tensor.output());
    return tensor == children.apply(0)
        ? operation.tensorTable().orElseThrow().indices().stream().map(shown::get).toList()
        : shown;
  }

  @Override
  public Seq<LogicalPlan> children() {
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

  /** Returns all columns of the tables; without this, Spark would prune them. */
  @Override
  public AttributeSet references() {
    return inputSet();
  }

  /** Returns the children that are tables of the function. */
  List<LogicalPlan> tables() {
    List<LogicalPlan> tables = new ArrayList<>(ScalaSeqs.list(children));
    indices().ifPresent(tensor -> tables.remove(1));
    return tables;
  }

  /**
   * Returns the child that projects the index columns of the tensor's table, if {@link
   * TensorIndexColumns} gave the query one.
   */
  Optional<LogicalPlan> indices() {
    return operation
        .tensorTable()
        .filter(tensor -> children.size() > TABLES)
        .map(tensor -> children.apply(1));
  }

  @Override
  public Statistics stats() {
    List<Double> tables =
        tables().stream().map(child -> child.stats().sizeInBytes().doubleValue()).toList();
    double bytes = Math.min(operation.bytes(tables), Long.MAX_VALUE);
    return PlannedSizes.of(Math.max(1, (long) bytes), rowCount());
  }

  private Option<BigInt> rowCount() {
    return operation instanceof ScatterOperation || isLimited()
        ? Option.apply(BigInt.apply((Long) maxRows().get()))
        : last().stats().rowCount();
  }

  @Override
  public Option<Object> maxRows() {
    if (operation instanceof ScatterOperation scatter) {
      return Option.apply(scatter.rows());
    }
    Option<Object> known = last().maxRows();
    return operation instanceof GatherRows rows && isLimited()
        ? Option.apply(
            Math.min(
                (long) rows.need().most(), known.isEmpty() ? Long.MAX_VALUE : (Long) known.get()))
        : known;
  }

  /** Whether the query is a gather that stops after some rows: no filter may move below it. */
  boolean isLimited() {
    return operation instanceof GatherRows rows && rows.need().limit().isPresent();
  }

  /** Returns the constraints of a gather's rows, so that Spark infers filters from them. */
  @Override
  public ExpressionSet validConstraints() {
    if (!(operation instanceof GatherOperation gather)) {
      return super.validConstraints();
    }
    List<Attribute> below = ScalaSeqs.list(last().output());
    ColumnReplacement above = new ColumnReplacement(below, columns().subList(0, gather.columns()));
    List<Expression> constraints =
        ScalaSeqs.list(last().constraints().toSeq()).stream().map(above::in).toList();
    return ExpressionSet$.MODULE$.apply(ScalaSeqs.of(constraints));
  }

  @Override
  public String argString(int maxFields) {
    return operation + JoinKeys.text(ScalaSeqs.list(keys), columns());
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> plans) {
    return new TensorQuery(operation, plans, output, keys, sources);
  }

  @Override
  public List<Object> fields() {
    return List.of(operation, children, output, keys, sources);
  }

  @Override
  public boolean equals(Object other) {
    return CaseClass.areEqual(this, other);
  }

  @Override
  public int hashCode() {
    return fields().hashCode();
  }
}
