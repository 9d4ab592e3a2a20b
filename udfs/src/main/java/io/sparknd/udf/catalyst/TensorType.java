/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The representation of tensors in a SQL type. */
sealed interface TensorType extends Serializable {
  /** Returns the type of the elements. */
  ElementType element();

  /** Returns the dtype that computes the elements. */
  default DType dtype() {
    return element().dtype();
  }

  /** Returns the SQL type, without nulls inside. */
  DataType sql();

  /** Returns the same representation with other elements. */
  TensorType of(ElementType other);

  /** Arrays nested as deep as the rank; for rank 0 the element itself. */
  record Nested(ElementType element, int rank) implements TensorType {
    @Override
    public DataType sql() {
      DataType type = element.sql();
      for (int level = 0; level < rank; level++) {
        type = new ArrayType(type, false);
      }
      return type;
    }

    @Override
    public TensorType of(ElementType other) {
      return new Nested(other, rank);
    }
  }

  /** A {@code struct<shape, values>} of any rank. */
  record Shaped(ElementType element) implements TensorType {
    @Override
    public DataType sql() {
      return new StructType(
          new StructField[] {
            new StructField("shape", array(DataTypes.LongType), false, Metadata.empty()),
            new StructField("values", array(element.sql()), false, Metadata.empty())
          });
    }

    private static DataType array(DataType element) {
      return new ArrayType(element, false);
    }

    @Override
    public TensorType of(ElementType other) {
      return new Shaped(other);
    }
  }

  /**
   * Returns the representation of tensors in {@code type}; empty if it has none.
   *
   * @param ifVoid the element dtype of an array whose element type is void; null for none
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
    return element(element, ifVoid).map(found -> new Nested(found, depth));
  }

  private static Optional<TensorType> shaped(StructType struct, DType ifVoid) {
    StructField[] fields = struct.fields();
    boolean isTensor =
        fields.length == 2
            && fields[0].name().equalsIgnoreCase("shape")
            && fields[1].name().equalsIgnoreCase("values")
            && fields[0].dataType() instanceof ArrayType shape
            && element(shape.elementType(), DType.INT64).filter(ElementType::isInteger).isPresent()
            && fields[1].dataType() instanceof ArrayType;
    return isTensor
        ? element(((ArrayType) fields[1].dataType()).elementType(), ifVoid).map(Shaped::new)
        : Optional.empty();
  }

  private static Optional<ElementType> element(DataType type, DType ifVoid) {
    return type instanceof NullType
        ? Optional.ofNullable(ifVoid).map(ElementType::of)
        : ElementType.of(type);
  }
}
