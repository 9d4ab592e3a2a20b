/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * A variable of a feature table: a column with one value for each key. Immutable; each call returns
 * a new instance.
 *
 * @param name name of the column
 * @param type SQL type of the column
 * @param dtype dtype of the elements of a slice, if the type does not say it
 * @param shape shape of each value, a slice; {@code []} for a scalar. Empty for any other type,
 *     such as strings, or arrays of any length
 * @param fill value of what was never written, from which reductions start, as text that casts to
 *     the type, or to that of each element; empty for NULL
 * @param reduction how updates combine with the value; empty for {@link VariableReduction#update}
 */
public record Variable(
    String name,
    DataType type,
    Optional<DType> dtype,
    Optional<Shape> shape,
    Optional<String> fill,
    Optional<VariableReduction> reduction) {

  public Variable {
    Objects.requireNonNull(type, "type");
    if (name.isBlank() || name.contains(",")) {
      throw TableErrors.badTableColumn(name);
    }
  }

  /**
   * Returns a variable of a SQL type, such as {@code bigint}, {@code timestamp}, {@code
   * decimal(12,2)} or {@code array<string>}. As in SQL, {@code timestamp} has a time zone unless
   * {@code spark.sql.timestampType} says otherwise.
   */
  public static Variable of(String name, String type) {
    return of(name, DataType.fromDDL(type));
  }

  /** Returns a variable of a type, whatever the session's settings. */
  public static Variable of(String name, DataType type) {
    return new Variable(
        name, type, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Returns a variable of slices, in arrays that any engine reads.
   *
   * @param dtype bool, int32, int64, float16, bfloat16, float32 or float64; others as {@link
   *     #binary} only
   * @param dims dimensions of a slice, none for a scalar
   */
  public static Variable of(String name, DType dtype, long... dims) {
    Shape shape = Shape.of(dims);
    return new Variable(
        name,
        SqlTypes.slice(dtype, shape.rank()),
        Optional.of(dtype),
        Optional.of(shape),
        Optional.empty(),
        Optional.empty());
  }

  /** Stores slices as binary values: their elements, row-major and little-endian. */
  public Variable binary() {
    return new Variable(name, DataTypes.BinaryType, dtype, shape, fill, reduction);
  }

  /**
   * Sets the value of what was never written. Gathers return it, and reductions start from it;
   * those that keep a state of their own, such as mean, and those in windows start from no update.
   *
   * @param value a number, boolean, string, or the text of a date, timestamp or decimal
   */
  public Variable withFill(Object value) {
    return new Variable(name, type, dtype, shape, Optional.of(value.toString()), reduction);
  }

  public Variable reducedBy(VariableReduction by) {
    return new Variable(name, type, dtype, shape, fill, Optional.of(by));
  }
}
