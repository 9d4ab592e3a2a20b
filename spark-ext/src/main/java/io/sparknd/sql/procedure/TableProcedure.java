/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.procedure;

import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.tensor.Shape;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A procedure on one table that is a tensor. */
abstract class TableProcedure implements UnboundProcedure, BoundProcedure {
  private static final ProcedureParameter[] PARAMETERS = {
    ProcedureParameter.in("table", DataTypes.StringType)
        .comment("a table or view of index columns and a value column, last")
        .build(),
    ProcedureParameter.in("shape", DataTypes.createArrayType(DataTypes.LongType))
        .comment("of the tensor; left out, the table property sparknd.shape")
        .defaultValue("NULL")
        .build()
  };

  private final String name;
  private final StructType schema;

  /**
   * @param schema of the rows that it gives
   */
  TableProcedure(String name, StructType schema) {
    this.name = name;
    this.schema = schema;
  }

  /** What it has to say of {@code table}. */
  abstract List<Row> run(TensorView table);

  @Override
  public String name() {
    return name;
  }

  @Override
  public BoundProcedure bind(StructType arguments) {
    return this;
  }

  @Override
  public ProcedureParameter[] parameters() {
    return PARAMETERS.clone();
  }

  /** It reads a table, which changes. */
  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public Iterator<Scan> call(InternalRow arguments) {
    Optional<Shape> shape =
        arguments.isNullAt(1)
            ? Optional.empty()
            : Optional.of(Shape.of(InternalRows.longs(arguments, 1)));
    TensorView table =
        TensorView.of(SparkSession.active(), InternalRows.string(arguments, 0), shape);
    Scan result = new Result(schema, InternalRows.of(run(table), schema));
    return List.of(result).iterator();
  }

  private record Result(StructType readSchema, InternalRow[] rows) implements LocalScan {}
}
