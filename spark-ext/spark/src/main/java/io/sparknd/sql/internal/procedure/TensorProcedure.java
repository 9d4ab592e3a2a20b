/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.procedure;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;

/** The base class of procedures: parameters, and the action of a call. */
public abstract class TensorProcedure implements UnboundProcedure {
  private final String name;
  private final String description;
  private final List<TensorProcedureParameter> parameters;

  protected TensorProcedure(
      String name, String description, TensorProcedureParameter... parameters) {
    this.name = name;
    this.description = description;
    this.parameters = List.of(parameters);
  }

  /** A procedure's result: its rows and their schema. */
  public record Output(StructType schema, List<Row> rows) {}

  /** Runs the procedure. */
  protected abstract Output run(SparkSession spark, ProcedureCall call);

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  /** Binds parameters by argument types: some take a name or an array of names, for example. */
  @Override
  public BoundProcedure bind(StructType given) {
    ProcedureParameter[] bound = new ProcedureParameter[parameters.size()];
    for (int i = 0; i < bound.length; i++) {
      bound[i] = parameters.get(i).in(given, i);
    }
    return new Bound(this, bound);
  }

  @SuppressWarnings("ArrayRecordComponent") // Spark's API uses an array; records are never compared
  private record Bound(TensorProcedure procedure, ProcedureParameter[] parameters)
      implements BoundProcedure {
    @Override
    public String name() {
      return procedure.name();
    }

    @Override
    public String description() {
      return procedure.description();
    }

    /** False, because the table can change between calls. */
    @Override
    public boolean isDeterministic() {
      return false;
    }

    @Override
    public Iterator<Scan> call(InternalRow arguments) {
      StructType types = new StructType();
      for (ProcedureParameter parameter : parameters) {
        types = types.add(parameter.name(), parameter.dataType());
      }
      ProcedureCall call =
          new ProcedureCall(procedure.name(), InternalRows.external(arguments, types));
      Output output = output(call);
      Scan result = new Result(output.schema(), InternalRows.of(output.rows(), output.schema()));
      return List.of(result).iterator();
    }

    private Output output(ProcedureCall call) {
      try {
        return procedure.run(SparkSession.active(), call);
      } catch (SparkNdException e) {
        throw SparkNdRuntimeException.here(e);
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // as above
  private record Result(StructType readSchema, InternalRow[] rows) implements LocalScan {}
}
