/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * A SQL function bound to its argument types and evaluated row by row. Spark calls its {@code
 * apply} method with {@link #arity} values, none of them null, in Spark's internal formats. Public
 * for generated code. Thread-safe.
 */
public abstract class RowFunction implements Serializable {
  private static final long serialVersionUID = 1;

  private final String name;
  private final DataType dataType;

  /** The parts that determine equality. */
  private final List<Object> parts;

  RowFunction(String name, DataType dataType, Object... parts) {
    this.name = name;
    this.dataType = dataType;
    this.parts = List.of(parts);
  }

  /** Returns the SQL name. */
  public final String name() {
    return name;
  }

  /** Returns the SQL type of the result. */
  public final DataType dataType() {
    return dataType;
  }

  /** Returns the operation for columnar evaluation, or {@link RowOperator#ROW_BY_ROW}. */
  public RowOperator operator() {
    return RowOperator.ROW_BY_ROW;
  }

  /** Returns the number of arguments per row; the others are constants and part of the function. */
  public abstract int arity();

  /**
   * Returns the size in bytes of the result for constant arguments; 0 if it is hardly larger than
   * the arguments.
   *
   * @param row {@link #arity} values
   * @throws io.sparknd.tensor.SparkNdException if the arguments do not match
   */
  long bytes(Object... row) {
    return 0;
  }

  /** Whether the call is no part of the statement and has no place in names of columns. */
  boolean isImplicit() {
    return false;
  }

  /** Whether {@code apply} takes a {@link RowMemory} after the arguments, for its result. */
  boolean takesMemory() {
    return false;
  }

  /**
   * Evaluates the function as {@code apply} does, for callers that do not know the number of
   * arguments.
   *
   * @param row {@link #arity} values
   */
  public abstract Object call(Object... row);

  @Override
  public final boolean equals(Object other) {
    return other instanceof RowFunction that
        && getClass() == that.getClass()
        && name.equals(that.name)
        && dataType.equals(that.dataType)
        && parts.equals(that.parts);
  }

  @Override
  public final int hashCode() {
    return name.hashCode() * 31 + parts.hashCode();
  }
}
