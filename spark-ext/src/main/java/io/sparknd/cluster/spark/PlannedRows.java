/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import java.util.List;
import java.util.Objects;
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
import scala.collection.immutable.Seq;

/**
 * The child of a physical operator as a query of its own, so that what is written for Datasets runs
 * inside operators, too.
 */
public final class PlannedRows extends LogicalPlan {
  private static final long serialVersionUID = 1;

  /** Metadata of the columns: what the rows are, and the names that the columns had. */
  private static final String TABLE = "sparknd.table";

  private static final String COLUMN = "sparknd.column";

  private final Seq<Attribute> output;
  private final Statistics size;

  public PlannedRows(Seq<Attribute> output, Statistics size) {
    this.output = output;
    this.size = size;
  }

  /**
   * The rows of {@code child}, with columns {@code c0, c1, ...}: several of its own may have one
   * name.
   *
   * @param size of the rows, as far as the planner knows
   * @param argument what the rows are to the call, for messages
   */
  public static Dataset<Row> of(SparkPlan child, Statistics size, String argument) {
    List<Attribute> columns = Sequences.list(child.output());
    Attribute[] named = new Attribute[columns.size()];
    for (int i = 0; i < named.length; i++) {
      Attribute column = columns.get(i);
      named[i] = column.withName("c" + i).withMetadata(names(argument, column));
    }
    Seq<Attribute> output = Sequences.of(List.of(named));
    LogicalPlan rows =
        new LogicalQueryStage(new PlannedRows(output, size), new PlannedRowsExec(child, output));
    return org.apache.spark.sql.classic.Dataset.ofRows(child.session(), rows);
  }

  private static Metadata names(String argument, Attribute column) {
    List<String> table = Sequences.list(column.qualifier());
    String rows = table.isEmpty() ? argument : argument + " (" + SqlNames.joined(table) + ")";
    return new MetadataBuilder()
        .withMetadata(column.metadata())
        .putString(TABLE, rows)
        .putString(COLUMN, column.name())
        .build();
  }

  /** The argument and table that a column comes from; empty where that is not known. */
  public static String tableOf(StructField column) {
    return column.metadata().contains(TABLE) ? column.metadata().getString(TABLE) : "";
  }

  /** The name that a column had, which is its name where it still has it. */
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
    return Sequences.of(List.of());
  }

  @Override
  public AttributeSet producedAttributes() {
    return Sequences.set(output);
  }

  @Override
  public LogicalPlan withNewChildrenInternal(
      scala.collection.immutable.IndexedSeq<LogicalPlan> none) {
    return this;
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int n) {
    return n == 0 ? output : size;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof PlannedRows;
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
