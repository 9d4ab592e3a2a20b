/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.SqlTypes;
import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** How a SQL type holds tensors. */
sealed interface TensorType extends Serializable {
  List<DType> DTYPES =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.FLOAT32,
          DType.FLOAT64,
          DType.STRING);

  /** What the elements are. */
  DType dtype();

  /** The SQL type without nulls inside. */
  DataType sql();

  /** The same with other elements. */
  TensorType of(DType other);

  /** Arrays nested as deep as the rank, which for rank 0 is the element itself. */
  record Nested(DType dtype, int rank) implements TensorType {
    @Override
    public DataType sql() {
      return SqlTypes.slice(dtype, rank);
    }

    @Override
    public TensorType of(DType other) {
      return new Nested(other, rank);
    }
  }

  /** {@code struct<shape, values>}, of any rank. */
  record Shaped(DType dtype) implements TensorType {
    @Override
    public DataType sql() {
      return new StructType(
          new StructField[] {
            new StructField("shape", array(DataTypes.LongType), false, Metadata.empty()),
            new StructField("values", array(SqlTypes.element(dtype)), false, Metadata.empty())
          });
    }

    private static DataType array(DataType element) {
      return new ArrayType(element, false);
    }

    @Override
    public TensorType of(DType other) {
      return new Shaped(other);
    }
  }

  /**
   * How {@code type} holds tensors; empty if it does not.
   *
   * @param ifVoid the dtype of an array without elements, whose type Spark does not know
   */
  static Optional<TensorType> of(DataType type, DType ifVoid) {
    if (type instanceof StructType struct) {
      return shaped(struct, ifVoid);
    }
    int rank = 0;
    DataType element = type;
    while (element instanceof ArrayType array) {
      element = array.elementType();
      rank++;
    }
    int depth = rank;
    return dtype(element, ifVoid).map(dtype -> new Nested(dtype, depth));
  }

  private static Optional<TensorType> shaped(StructType struct, DType ifVoid) {
    StructField[] fields = struct.fields();
    boolean isTensor =
        fields.length == 2
            && fields[0].name().equalsIgnoreCase("shape")
            && fields[1].name().equalsIgnoreCase("values")
            && fields[0].dataType() instanceof ArrayType shape
            && dtype(shape.elementType(), DType.INT64).filter(DType::isInteger).isPresent()
            && fields[1].dataType() instanceof ArrayType;
    return isTensor
        ? dtype(((ArrayType) fields[1].dataType()).elementType(), ifVoid).map(Shaped::new)
        : Optional.empty();
  }

  private static Optional<DType> dtype(DataType element, DType ifVoid) {
    if (element instanceof NullType) {
      return Optional.ofNullable(ifVoid);
    }
    return DTYPES.stream().filter(dtype -> SqlTypes.element(dtype).equals(element)).findFirst();
  }
}
