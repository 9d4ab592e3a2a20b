/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * What a function does to the arguments of one row, bound to their types. Spark calls its method
 * {@code apply}, which takes as many values as {@link #arity} says, in Spark's internal forms and
 * none of them null. Public for generated code. Threads may share one.
 */
public abstract class RowFunction implements Serializable {
  private static final long serialVersionUID = 1;

  private final String name;
  private final DataType dataType;

  /** All that two equal functions have in common. */
  private final List<Object> parts;

  RowFunction(String name, DataType dataType, Object... parts) {
    this.name = name;
    this.dataType = dataType;
    this.parts = List.of(parts);
  }

  /** Its SQL name. */
  public final String name() {
    return name;
  }

  /** The type of what it returns. */
  public final DataType dataType() {
    return dataType;
  }

  /** What it does, where columns can have it done at once. */
  public RowOperator operator() {
    return RowOperator.ROW_BY_ROW;
  }

  /** How many arguments come with the rows; the rest are constants, and part of the function. */
  public abstract int arity();

  /**
   * The bytes of what constant arguments give; 0 where it is hardly larger than they are.
   *
   * @param row as many as {@link #arity} says
   * @throws io.sparknd.tensor.SparkNdException if the arguments do not go together
   */
  long bytes(Object... row) {
    return 0;
  }

  /** Whether {@code apply} takes a {@link RowMemory} behind the arguments, for its result. */
  boolean takesMemory() {
    return false;
  }

  /**
   * What {@code apply} does, for callers that do not know how many arguments there are.
   *
   * @param row as many as {@link #arity} says
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
