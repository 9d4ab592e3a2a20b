/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.udf.UdfErrors;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructType;

/** Binds {@code nd_decode} and {@code nd_encode} to the types of their arguments. */
final class BytesBinding {
  private BytesBinding() {}

  static Expression decode(UdfArguments in) {
    if (in.hasVoid(1)) {
      return Literal.create(null, DataTypes.NullType);
    }
    Expression value = in.value("value");
    if (!(value.dataType() instanceof BinaryType)) {
      throw UdfErrors.notBytes("value", value.dataType().simpleString());
    }
    DType dtype = dtype(in);
    if (in.value("shape").dataType() instanceof NullType) {
      DecodeFunction function = new DecodeFunction(dtype, null, 1);
      return new RowCall(function, UdfArguments.seq(List.of(value, in.value("dtype"))));
    }
    TensorArgument shape = in.vector("shape");
    if (in.isUnset("shape")) { // NULL has no length for the rank of the result
      return Literal.create(null, DataTypes.NullType);
    }
    int rank = in.length(shape).orElseThrow(() -> UdfErrors.unknownRank(shape.name(), "nd_decode"));
    DecodeFunction function = new DecodeFunction(dtype, shape.indexReader(), rank);
    return new RowCall(
        function, UdfArguments.seq(List.of(value, in.value("dtype"), shape.expression())));
  }

  static Expression encode(UdfArguments in) {
    if (in.hasVoid(1)) {
      return Literal.create(null, DataTypes.NullType);
    }
    Expression tensor = in.value("tensor");
    DType dtype = dtype(in);
    int rank = 0;
    DataType element = tensor.dataType();
    while (element instanceof ArrayType array) {
      element = array.elementType();
      rank++;
    }
    DType source = source(element, dtype);
    Expression cast = cast(tensor, element, dtype, SqlTypes.slice(source, rank));
    return new RowCall(
        new EncodeFunction(dtype, source, rank),
        UdfArguments.seq(List.of(cast, in.value("dtype"))));
  }

  private static DType dtype(UdfArguments in) {
    DType dtype = DType.named(in.string("dtype"));
    if (dtype == DType.STRING) {
      throw UdfErrors.stringsHaveNoBytes();
    }
    return dtype;
  }

  /** Returns the dtype from which elements are encoded: half floats are rounded once. */
  private static DType source(DataType element, DType dtype) {
    boolean isHalf = HalfFloats.isHalf(dtype);
    return isHalf && !element.equals(DataTypes.FloatType)
        ? DType.FLOAT64
        : new ElementBytes(dtype).wide();
  }

  /**
   * Returns {@code tensor} cast to the dtype's elements.
   *
   * @param source the type of the arrays that are encoded
   * @throws io.sparknd.tensor.SparkNdException unless that is implicit, see {@link
   *     ElementCasts#isImplicit}
   */
  private static Expression cast(
      Expression tensor, DataType element, DType dtype, DataType source) {
    DataType needed = SqlTypes.element(dtype);
    if (needed instanceof StructType
        && element instanceof StructType parts
        && !SqlTypes.areParts(parts)) {
      throw ClusterErrors.complexParts("tensor", tensor.dataType().simpleString());
    }
    if (element.asNullable().equals(needed.asNullable())) {
      return tensor;
    }
    if (!ElementCasts.isImplicit(element, needed)) {
      throw UdfErrors.cannotCast(
          "tensor",
          tensor.dataType().simpleString(),
          "dtype '" + dtype + "'",
          needed.simpleString());
    }
    return ElementCasts.of("tensor", tensor, source.asNullable(), dtype);
  }
}
