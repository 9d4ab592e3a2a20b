/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Tests that rows have the bits of their slices, in all lengths of the innermost arrays. */
class SliceRowTest {
  private static final List<Shape> SHAPES =
      Stream.of(
              Shape.of(),
              Shape.of(1),
              Shape.of(2),
              Shape.of(3, 1),
              Shape.of(1, 1, 1),
              Shape.of(2, 3),
              Shape.of(0, 1),
              Shape.of(1, 0))
          .toList();

  private static final List<DType> DTYPES =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.FLOAT32,
          DType.FLOAT64);

  @Property(tries = 200)
  void everyRowHasItsIndicesAndTheBitsOfItsSlice(
      @ForAll @IntRange(max = 7) int form,
      @ForAll @IntRange(max = 6) int type,
      @ForAll @IntRange(max = 2) int depth,
      @ForAll long seed) {
    Shape shape = SHAPES.get(form);
    DType dtype = DTYPES.get(type);
    int units = (int) shape.elements();
    Object array = elements(dtype, 3 * units + 1, seed);
    StructType schema = schema(dtype, shape, depth);
    SliceRow row = new SliceRow(schema, dtype, shape);
    for (int slice : new int[] {1, 0, 2}) {
      long[] tuple = Stream.of(7L * slice, 5L).limit(depth).mapToLong(Long::longValue).toArray();
      int unit = 1 + slice * units;
      InternalRow filled = row.of(tuple, array, unit);
      List<Object> expected = new ArrayList<>();
      for (int i = unit; i < unit + units; i++) {
        expected.add(bits(dtype, array, i));
      }
      DataType value = schema.apply(depth).dataType();
      assertThat(bits(filled, depth, value)).isEqualTo(expected);
      for (int d = 0; d < depth; d++) {
        assertThat(d == 0 ? filled.getInt(0) : filled.getLong(1)).isEqualTo(tuple[d]);
        assertThat(filled.isNullAt(d)).isFalse();
      }
    }
  }

  /** The first index column is narrower than a long. */
  private static StructType schema(DType dtype, Shape slice, int depth) {
    StructType schema = new StructType();
    for (int d = 0; d < depth; d++) {
      schema = schema.add("i" + d, d == 0 ? DataTypes.IntegerType : DataTypes.LongType, false);
    }
    return schema.add("value", SqlTypes.slice(dtype, slice.rank()), false);
  }

  /** Returns elements of any bits, NaN among them; of bool, both values. */
  private static Object elements(DType dtype, int count, long seed) {
    Storage storage = dtype.storage();
    Object array = storage.allocate(count);
    for (int i = 0; i < count; i++) {
      long any = (seed + i) * 0x9e37_79b9_7f4a_7c15L;
      switch (dtype) {
        case BOOL -> ((byte[]) array)[i] = (byte) (any >>> 63);
        case INT8 -> ((byte[]) array)[i] = (byte) (any >>> 32);
        case INT16 -> ((short[]) array)[i] = (short) (any >>> 32);
        case INT32 -> ((int[]) array)[i] = (int) (any >>> 32);
        case INT64 -> ((long[]) array)[i] = any;
        case FLOAT32 -> ((float[]) array)[i] = Float.intBitsToFloat((int) (any >>> 32) | 1 << 22);
        case FLOAT64 -> ((double[]) array)[i] = Double.longBitsToDouble(any | 1L << 51);
        default -> throw new AssertionError(dtype);
      }
    }
    return array;
  }

  private static Object bits(DType dtype, Object array, int i) {
    return switch (dtype) {
      case BOOL -> ((byte[]) array)[i] == 1;
      case INT8 -> ((byte[]) array)[i];
      case INT16 -> ((short[]) array)[i];
      case INT32 -> ((int[]) array)[i];
      case INT64 -> ((long[]) array)[i];
      case FLOAT32 -> Float.floatToRawIntBits(((float[]) array)[i]);
      case FLOAT64 -> Double.doubleToRawLongBits(((double[]) array)[i]);
      default -> throw new AssertionError(dtype);
    };
  }

  /** Returns the elements of a column or of an array, flattened. */
  private static List<Object> bits(SpecializedGetters from, int ordinal, DataType type) {
    if (type instanceof ArrayType arrays) {
      ArrayData array = from.getArray(ordinal);
      List<Object> all = new ArrayList<>();
      for (int i = 0; i < array.numElements(); i++) {
        all.addAll(bits(array, i, arrays.elementType()));
      }
      return all;
    }
    return List.of(element(from, ordinal, type));
  }

  private static Object element(SpecializedGetters from, int ordinal, DataType type) {
    return switch (type.simpleString()) {
      case "boolean" -> from.getBoolean(ordinal);
      case "tinyint" -> from.getByte(ordinal);
      case "smallint" -> from.getShort(ordinal);
      case "int" -> from.getInt(ordinal);
      case "bigint" -> from.getLong(ordinal);
      case "float" -> Float.floatToRawIntBits(from.getFloat(ordinal));
      case "double" -> Double.doubleToRawLongBits(from.getDouble(ordinal));
      default -> throw new AssertionError(type);
    };
  }
}
