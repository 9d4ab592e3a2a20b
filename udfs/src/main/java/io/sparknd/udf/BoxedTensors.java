/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Converts tensors from and to the values that Spark passes to Java functions, such as {@code Seq}
 * and {@code Row}.
 */
final class BoxedTensors {
  /**
   * Numeric dtypes in widening order. Widening is exact, except from int to float and from bigint
   * to float or double.
   */
  private static final List<DType> NUMBERS =
      List.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.FLOAT32, DType.FLOAT64);

  private BoxedTensors() {}

  /**
   * Returns the tensor of {@code value}.
   *
   * @param argument its name, for messages
   * @param dtype of the elements; null for that of the first element
   * @throws io.sparknd.tensor.SparkNdException if it is ragged, contains nulls or has unsupported
   *     elements
   */
  static Tensor read(String argument, Object value, DType dtype) {
    if (value instanceof Row row) {
      Tensor values = nested(argument + ".values", row.get(1), dtype);
      return values.reshape(Shape.of(longs(argument + ".shape", row.get(0))));
    }
    return nested(argument, value, dtype);
  }

  /** Returns integers of any width as int64. */
  static Tensor indices(String argument, Object value) {
    return read(argument, value, DType.INT64);
  }

  static long[] longs(String argument, Object value) {
    return (long[]) indices(argument, value).array();
  }

  private static Tensor nested(String argument, Object value, DType dtype) {
    List<Object> elements = new ArrayList<>();
    Reading reading = new Reading(argument, dims(value), elements);
    reading.add(value, 0, new long[reading.dims().length]);
    DType type = dtype == null ? dtype(argument, elements) : dtype;
    Object array = type.storage().allocate(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      put(argument, type, array, i, elements.get(i));
    }
    return Tensor.wrap(type, Shape.of(reading.dims()), array);
  }

  private static long[] dims(Object value) {
    List<Long> dims = new ArrayList<>();
    Object inner = value;
    while (inner instanceof Seq<?> seq) {
      dims.add((long) seq.size());
      inner = seq.isEmpty() ? null : seq.apply(0);
    }
    return dims.stream().mapToLong(Long::longValue).toArray();
  }

  /** Collects the elements of a value in row-major order. */
  private record Reading(String argument, long[] dims, List<Object> elements) {
    void add(Object value, int level, long[] path) {
      if (value == null) {
        throw SqlErrors.nullInTensor(position(path, level));
      }
      boolean inner = value instanceof Seq<?>;
      long length = inner ? ((Seq<?>) value).size() : 0;
      if (inner != level < dims.length || (inner && length != dims[level])) {
        long needed = level < dims.length ? dims[level] : 0;
        throw UdfErrors.ragged(
            position(path, level), length, position(new long[level], level), needed);
      }
      if (!inner) {
        elements.add(value);
        return;
      }
      int i = 0;
      for (Object each : CollectionConverters.asJava((Seq<?>) value)) {
        path[level] = i++;
        add(each, level + 1, path);
      }
    }

    private String position(long[] path, int length) {
      return argument + (length == 0 ? "" : Arrays.toString(Arrays.copyOf(path, length)));
    }
  }

  /** Returns the dtype of the first element. Without elements any dtype serves. */
  private static DType dtype(String argument, List<Object> elements) {
    return elements.isEmpty() ? DType.FLOAT32 : dtype(argument, elements.get(0));
  }

  private static DType dtype(String argument, Object element) {
    if (element instanceof Boolean) {
      return DType.BOOL;
    }
    if (element instanceof String) {
      return DType.STRING;
    }
    if (element instanceof Byte) {
      return DType.INT8;
    }
    if (element instanceof Short) {
      return DType.INT16;
    }
    if (element instanceof Integer) {
      return DType.INT32;
    }
    if (element instanceof Long) {
      return DType.INT64;
    }
    if (element instanceof Float) {
      return DType.FLOAT32;
    }
    if (element instanceof Double) {
      return DType.FLOAT64;
    }
    throw UdfErrors.notATensorValue(argument, element);
  }

  private static void put(String argument, DType dtype, Object array, int i, Object element) {
    DType own = dtype(argument, element);
    boolean widens = NUMBERS.contains(own) && NUMBERS.indexOf(own) <= NUMBERS.indexOf(dtype);
    if (own != dtype && !widens) {
      throw UdfErrors.mixedValues(argument, element, dtype);
    }
    switch (dtype) {
      case BOOL -> Array.setByte(array, i, (byte) ((Boolean) element ? 1 : 0));
      case INT8 -> Array.setByte(array, i, ((Number) element).byteValue());
      case INT16 -> Array.setShort(array, i, ((Number) element).shortValue());
      case INT32 -> Array.setInt(array, i, ((Number) element).intValue());
      case INT64 -> Array.setLong(array, i, ((Number) element).longValue());
      case FLOAT32 -> Array.setFloat(array, i, ((Number) element).floatValue());
      case FLOAT64 -> Array.setDouble(array, i, ((Number) element).doubleValue());
      default -> Array.set(array, i, element);
    }
  }

  /**
   * Returns {@code tensor} in the form of {@code like}: a row, or arrays nested as deep as the
   * rank.
   */
  static Object write(Tensor tensor, Object like) {
    if (like instanceof Row) {
      return RowFactory.create(tensor.shape().dims(), leaves(tensor, 0, tensor.elements()));
    }
    return tensor.shape().rank() == 0 ? Array.get(leaves(tensor, 0, 1), 0) : array(tensor, 0, 0);
  }

  private static Object array(Tensor tensor, int level, int at) {
    Shape shape = tensor.shape();
    int length = (int) shape.dim(level);
    if (level == shape.rank() - 1) {
      return leaves(tensor, at, at + length);
    }
    Object[] inner = new Object[length];
    int step = (int) shape.from(level + 1).elements();
    for (int i = 0; i < length; i++) {
      inner[i] = array(tensor, level + 1, at + i * step);
    }
    return inner;
  }

  private static Object leaves(Tensor tensor, int from, int to) {
    if (tensor.dtype() != DType.BOOL) {
      return tensor.dtype().storage().copyOfRange(tensor.array(), from, to);
    }
    Boolean[] values = new Boolean[to - from];
    for (int i = from; i < to; i++) {
      values[i - from] = (Boolean) tensor.element(i);
    }
    return values;
  }
}
