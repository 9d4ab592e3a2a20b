/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.cell.UnitBytes;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import scala.jdk.javaapi.CollectionConverters;

/** Converts rows of a tensor table between Spark and lists. */
final class SparkRows {
  private SparkRows() {}

  /** Returns the indices and elements of the rows, sorted by index. */
  static List<List<Object>> elements(List<Row> rows, RowFormat format) {
    int depth = format.indexColumns().size();
    List<List<Object>> all = new ArrayList<>();
    for (Row row : rows) {
      List<Object> flat = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        flatten(row.get(i), i < depth ? DType.INT64 : format.dtype(), flat);
      }
      all.add(flat);
    }
    all.sort(
        (a, b) ->
            IntStream.range(0, depth)
                .map(i -> Long.compare((Long) a.get(i), (Long) b.get(i)))
                .filter(order -> order != 0)
                .findFirst()
                .orElse(0));
    return all;
  }

  private static void flatten(Object value, DType dtype, List<Object> flat) {
    if (value instanceof scala.collection.Seq<?> seq) {
      CollectionConverters.asJava(seq).forEach(item -> flatten(item, dtype, flat));
    } else if (value instanceof byte[] bytes) {
      Tensor slice = slice(bytes, dtype);
      IntStream.range(0, slice.elements()).forEach(i -> flat.add(slice.element(i)));
    } else if (value instanceof Row row) {
      flat.add(
          new Complex(
              ((Number) row.getAs("re")).doubleValue(), ((Number) row.getAs("im")).doubleValue()));
    } else if (value instanceof BigDecimal decimal) {
      flat.add(decimal.toBigIntegerExact());
    } else if (value instanceof Integer integer) {
      flat.add(integer.longValue());
    } else {
      flat.add(value);
    }
  }

  private static Tensor slice(byte[] bytes, DType dtype) {
    int units = bytes.length / dtype.storage().bytes();
    Object array = dtype.storage().allocate(units);
    new UnitBytes(dtype.storage(), ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN))
        .read(0, array, 0, units);
    return Tensor.wrap(dtype, io.sparknd.tensor.Shape.of(units / dtype.units()), array);
  }

  /** Returns the expected result of {@link #elements}. */
  static List<List<Object>> expected(Written written) {
    Tensor values = written.values();
    int per = (int) written.format().slice().elements();
    List<List<Object>> all = new ArrayList<>();
    for (int row = 0; row < written.offsets().length; row++) {
      List<Object> flat = new ArrayList<>();
      for (long index : written.format().outer().coordinates(written.offsets()[row])) {
        flat.add(index);
      }
      for (int i = 0; i < per; i++) {
        flat.add(values.element(row * per + i));
      }
      all.add(flat);
    }
    return all;
  }

  /** Returns the rows in Spark's form. */
  static List<Row> rows(Written written) {
    int depth = written.format().indexColumns().size();
    List<Row> rows = new ArrayList<>();
    for (List<Object> flat : expected(written)) {
      List<Object> row = new ArrayList<>(flat.subList(0, depth));
      List<Object> elements =
          flat.subList(depth, flat.size()).stream()
              .map(e -> boxed(e, written.format().dtype()))
              .toList();
      if (written.format().values() instanceof ValueColumns.FeatureColumns) {
        row.addAll(elements);
      } else if (written.format().values() instanceof ValueColumns.BinaryColumn) {
        row.add(bytes(written, rows.size()));
      } else {
        row.add(nested(elements, written.format().slice().dims(), 0));
      }
      rows.add(RowFactory.create(row.toArray()));
    }
    return rows;
  }

  private static byte[] bytes(Written written, int row) {
    RowFormat format = written.format();
    byte[] bytes = new byte[format.units() * format.dtype().storage().bytes()];
    new UnitBytes(format.dtype().storage(), ByteBuffer.wrap(bytes))
        .write(written.payload().array(), written.slots()[row] * format.units(), format.units(), 0);
    return bytes;
  }

  private static Object nested(List<Object> elements, long[] dims, int axis) {
    if (axis == dims.length) {
      return elements.get(0);
    }
    int size = elements.size() / (int) dims[axis];
    return IntStream.range(0, (int) dims[axis])
        .mapToObj(i -> nested(elements.subList(i * size, (i + 1) * size), dims, axis + 1))
        .toArray();
  }

  private static Object boxed(Object element, DType dtype) {
    return switch (dtype) {
      case INT8, UINT8, INT16, UINT16, INT32 -> ((Long) element).intValue();
      case UINT64 -> new BigDecimal((BigInteger) element);
      case COMPLEX64 ->
          RowFactory.create(
              (float) ((Complex) element).real(), (float) ((Complex) element).imaginary());
      case COMPLEX128 ->
          RowFactory.create(((Complex) element).real(), ((Complex) element).imaginary());
      default -> element;
    };
  }
}
