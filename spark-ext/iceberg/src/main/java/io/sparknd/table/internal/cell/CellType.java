/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The type of the cells of a column. */
public sealed interface CellType extends Serializable {

  /** Returns the Spark type of the column. */
  DataType sql();

  /** Returns the type as messages have it, such as {@code float32[64]}. */
  String text();

  /** Returns a dtype with the shape of a slice, such as {@code float32[64]}. */
  static String text(DType dtype, Shape slice) {
    return dtype + (slice.rank() > 0 ? slice.toString() : "");
  }

  /**
   * Returns cells, all absent.
   *
   * @throws io.sparknd.table.internal.ArrayLimitException if they do not fit one array
   */
  Cells allocate(int count);

  /** Returns the type of cells that are doubles or longs. */
  static CellType ofScalar(DataType sql) {
    DType dtype = sql.equals(DataTypes.DoubleType) ? DType.FLOAT64 : DType.INT64;
    return new Elements(dtype, Shape.of(), sql);
  }

  /**
   * Slices of a fixed shape, in a primitive array.
   *
   * @param dtype dtype of the elements; for dates int32, for timestamps int64
   * @param shape shape of a cell; {@code []} for scalars
   * @param sql type of the column: the element, arrays nested as deep as the shape, or binary for
   *     row-major little-endian bytes
   */
  record Elements(DType dtype, Shape shape, DataType sql) implements CellType {
    @Override
    public Cells allocate(int count) {
      return new ElementCells(this, count);
    }

    @Override
    public String text() {
      return CellType.text(dtype, shape);
    }

    /** Returns whether cells are stored as binary values. */
    public boolean isBinary() {
      return sql.equals(DataTypes.BinaryType);
    }

    /** Returns the SQL type of one element: of {@code array<timestamp>} a timestamp. */
    public DataType element() {
      return isBinary() ? SqlTypes.element(dtype) : SqlTypes.innermost(sql);
    }

    /** Returns the number of units of {@code dtype.storage()} in a cell. */
    public int units() {
      return Math.toIntExact(shape.elements() * dtype.units());
    }

    /** Returns whether kernels can reduce the cells: they are numbers or booleans, not times. */
    public boolean isNumeric() {
      return shape.rank() > 0
          || !sql.equals(DataTypes.DateType)
              && !sql.equals(DataTypes.TimestampType)
              && !sql.equals(DataTypes.TimestampNTZType);
    }
  }

  /** Values of any other type, as objects in Spark's internal form. */
  record Objects(DataType sql) implements CellType {
    @Override
    public Cells allocate(int count) {
      return new ObjectCells(this, count);
    }

    @Override
    public String text() {
      return sql.simpleString();
    }
  }
}
