/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.op.Reduction;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * The SQL type of elements and the dtype that computes them. Decimals of up to 18 digits are
 * computed as int64 unscaled values, which is also how Spark stores them in its arrays.
 *
 * @param decimal null if the elements have the dtype's own SQL type
 */
record ElementType(DType dtype, DecimalType decimal) implements Serializable {
  private static final List<DType> DTYPES =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.FLOAT32,
          DType.FLOAT64,
          DType.STRING);

  /** The reductions of decimals: their results have no more fractional digits than the operands. */
  private static final Set<Reduction> OF_DECIMALS =
      EnumSet.of(
          Reduction.NONE,
          Reduction.ADD,
          Reduction.SUB,
          Reduction.MIN,
          Reduction.MAX,
          Reduction.FMIN,
          Reduction.FMAX);

  static ElementType of(DType dtype) {
    return new ElementType(dtype, null);
  }

  /** Returns the element type for {@code type}; empty if tensors do not support it. */
  static Optional<ElementType> of(DataType type) {
    if (type instanceof DecimalType decimal) {
      return Optional.of(new ElementType(DType.INT64, decimal))
          .filter(element -> decimal.precision() <= Decimal.MAX_LONG_DIGITS());
    }
    return DTYPES.stream()
        .filter(dtype -> SqlTypes.element(dtype).equals(type))
        .map(ElementType::of)
        .findFirst();
  }

  boolean isDecimal() {
    return decimal != null;
  }

  boolean isInteger() {
    return !isDecimal() && dtype.isInteger();
  }

  DataType sql() {
    return isDecimal() ? decimal : SqlTypes.element(dtype);
  }

  /**
   * Checks that the elements support {@code reduction}.
   *
   * @throws io.sparknd.tensor.SparkNdException if they are decimals whose type cannot hold the
   *     results of {@code reduction}
   */
  void checkReduction(Reduction reduction) {
    if (isDecimal() && !OF_DECIMALS.contains(reduction)) {
      throw SqlErrors.decimalReduction(reduction.toString(), decimal.sql());
    }
  }
}
