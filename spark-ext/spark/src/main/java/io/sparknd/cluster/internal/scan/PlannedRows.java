/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import io.sparknd.cluster.internal.spark.CaseClass;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.cluster.internal.spark.SqlNames;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;

/**
 * The child of a physical operator as a query of its own, so that code for Datasets also runs
 * inside operators.
 */
public final class PlannedRows extends LogicalPlan implements CaseClass {
  private static final long serialVersionUID = 1;

  /** Metadata keys of a column: the rows' argument, their table, and the column's original name. */
  private static final String ARGUMENT = "sparknd.argument";

  private static final String TABLE = "sparknd.table";

  private static final String COLUMN = "sparknd.column";

  private final Seq<Attribute> output;
  private final Statistics size;

  public PlannedRows(Seq<Attribute> output, Statistics size) {
    this.output = output;
    this.size = size;
  }

  /**
   * Returns the rows of {@code child}, with columns renamed to {@code c0, c1, ...}, since several
   * may have one name.
   *
   * @param size size of the rows by the planner's estimate
   * @param argument the argument of the call that the rows are, for messages
   */
  public static Dataset<Row> of(SparkPlan child, Statistics size, String argument) {
    List<Attribute> columns = ScalaSeqs.list(child.output());
    Attribute[] named = new Attribute[columns.size()];
    for (int i = 0; i < named.length; i++) {
      Attribute column = columns.get(i);
      named[i] = column.withName("c" + i).withMetadata(names(argument, column));
    }
    Seq<Attribute> output = ScalaSeqs.of(List.of(named));
    LogicalPlan rows =
        new LogicalQueryStage(new PlannedRows(output, size), new PlannedRowsExec(child, output));
    return org.apache.spark.sql.classic.Dataset.ofRows(child.session(), rows);
  }

  /** Returns whether {@code rows} are those of {@link #of}: a query of its own runs them once. */
  public static boolean isPlanned(Dataset<Row> rows) {
    return ClassicSpark.of(rows).queryExecution().logical() instanceof LogicalQueryStage stage
        && stage.logicalPlan() instanceof PlannedRows;
  }

  private static Metadata names(String argument, Attribute column) {
    List<String> table = ScalaSeqs.list(column.qualifier());
    return new MetadataBuilder()
        .withMetadata(column.metadata())
        .putString(ARGUMENT, argument)
        .putString(TABLE, table.isEmpty() ? "" : SqlNames.joined(table))
        .putString(COLUMN, column.name())
        .build();
  }

  /**
   * Returns the argument that rows are and, if known, their table, such as {@code updates (table
   * lake.events)}; empty outside a call.
   *
   * @param indices the columns whose table is looked up first; a computed column has none
   */
  public static Optional<String> rowsOf(List<StructField> indices, StructType schema) {
    List<StructField> all = List.of(schema.fields());
    String table =
        only(indices, TABLE).or(() -> only(all, TABLE)).map(name -> " (" + name + ")").orElse("");
    return only(all, ARGUMENT).map(argument -> argument + table);
  }

  /**
   * Returns the one value of {@code key} among the columns that have it; empty if none or several.
   */
  private static Optional<String> only(List<StructField> columns, String key) {
    List<String> known =
        columns.stream()
            .map(StructField::metadata)
            .filter(names -> names.contains(key))
            .map(names -> names.getString(key))
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();
    return known.size() == 1 ? Optional.of(known.get(0)) : Optional.empty();
  }

  /** Returns the original name of a column, or its name if it was not renamed. */
  public static String nameOf(StructField column) {
    return column.metadata().contains(COLUMN) ? column.metadata().getString(COLUMN) : column.name();
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public Statistics stats() {
    return size;
  }

  @Override
  public Seq<LogicalPlan> children() {
    return ScalaSeqs.of(List.of());
  }

  @Override
  public AttributeSet producedAttributes() {
    return ScalaSeqs.set(output);
  }

  @Override
  public LogicalPlan withNewChildrenInternal(
      scala.collection.immutable.IndexedSeq<LogicalPlan> none) {
    return this;
  }

  @Override
  public List<Object> fields() {
    return List.of(output, size);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlannedRows rows && output.equals(rows.output);
  }

  @Override
  public int hashCode() {
    return Objects.hash(output);
  }
}
