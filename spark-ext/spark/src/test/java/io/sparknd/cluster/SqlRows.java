/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.collection.Seq;

/** Converts tensors to rows of Spark's public API, independently of the engine. */
public final class SqlRows {
  private SqlRows() {}

  /** Returns {@code i0 .. i(depth-1), place, value} for each slot of {@code call}, in order. */
  public static List<Row> updates(ScatterCall call, Shape slice) {
    int depth = depth(call.indices());
    List<Row> rows = new ArrayList<>();
    for (int slot = 0; slot < slots(call.indices()); slot++) {
      List<Object> values = new ArrayList<>(tuple(call.indices(), slot, depth));
      values.add((long) slot);
      values.add(slice(call.updates(), slice, slot * (int) slice.elements()));
      rows.add(RowFactory.create(values.toArray()));
    }
    return rows;
  }

  public static Dataset<Row> updates(List<Row> rows, int depth, DType dtype, Shape slice) {
    StructType schema =
        indexColumns(depth)
            .add("place", DataTypes.LongType)
            .add("value", SqlTypes.slice(dtype, slice.rank()));
    return LocalSpark.session().createDataFrame(rows, schema);
  }

  /** Returns {@code i0 .. i(depth-1), place, name} for each slot of {@code indices}, in order. */
  public static Dataset<Row> requests(Tensor indices) {
    int depth = depth(indices);
    List<Row> rows = new ArrayList<>();
    for (int slot = 0; slot < slots(indices); slot++) {
      List<Object> values = new ArrayList<>(tuple(indices, slot, depth));
      values.add((long) slot);
      values.add("row " + slot);
      rows.add(RowFactory.create(values.toArray()));
    }
    StructType schema =
        indexColumns(depth).add("place", DataTypes.LongType).add("name", DataTypes.StringType);
    return LocalSpark.session().createDataFrame(rows, schema);
  }

  public static TensorColumns columns(int depth) {
    return TensorColumns.of("value", indexNames(depth).toArray(String[]::new));
  }

  public static List<String> indexNames(int depth) {
    return IntStream.range(0, depth).mapToObj(d -> "i" + d).toList();
  }

  private static StructType indexColumns(int depth) {
    StructType schema = new StructType();
    for (String name : indexNames(depth)) {
      schema = schema.add(name, DataTypes.LongType);
    }
    return schema;
  }

  public static int depth(Tensor indices) {
    return (int) indices.shape().dim(indices.shape().rank() - 1);
  }

  public static int slots(Tensor indices) {
    return (int) indices.shape().first(indices.shape().rank() - 1).elements();
  }

  private static List<Object> tuple(Tensor indices, int slot, int depth) {
    return IntStream.range(0, depth)
        .<Object>mapToObj(d -> ((Number) indices.element(slot * depth + d)).longValue())
        .toList();
  }

  /** Returns a scalar, or lists nested as deep as the slice. */
  private static Object slice(Tensor tensor, Shape slice, int from) {
    if (slice.rank() == 0) {
      return element(tensor.dtype(), tensor.element(from));
    }
    Shape inner = slice.from(1);
    return IntStream.range(0, (int) slice.dim(0))
        .mapToObj(i -> slice(tensor, inner, from + i * (int) inner.elements()))
        .toList();
  }

  /** Returns all elements of a tensor in the form of Spark's rows. */
  public static List<Object> elements(Tensor tensor) {
    return IntStream.range(0, tensor.elements())
        .mapToObj(i -> element(tensor.dtype(), tensor.element(i)))
        .toList();
  }

  private static Object element(DType dtype, Object element) {
    return switch (dtype) {
      case INT8 -> ((Long) element).byteValue();
      case INT16, UINT8 -> ((Long) element).shortValue();
      case INT32, UINT16 -> ((Long) element).intValue();
      case UINT64 -> new BigDecimal((BigInteger) element);
      case COMPLEX64 -> {
        Complex complex = (Complex) element;
        yield RowFactory.create((float) complex.real(), (float) complex.imaginary());
      }
      case COMPLEX128 -> {
        Complex complex = (Complex) element;
        yield RowFactory.create(complex.real(), complex.imaginary());
      }
      default -> element;
    };
  }

  /** Returns the elements of values that are scalars or nested arrays, row by row. */
  public static List<Object> flat(List<?> values) {
    List<Object> flat = new ArrayList<>();
    values.forEach(value -> flatten(value, flat));
    return flat;
  }

  private static void flatten(Object value, List<Object> into) {
    if (value instanceof Seq<?> seq) {
      seq.foreach(
          inner -> {
            flatten(inner, into);
            return null;
          });
    } else {
      into.add(value);
    }
  }
}
