/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The representation of a tensor in a column. Converts values to lists, which can be compared. */
public enum Held {
  NESTED {
    @Override
    DataType type(DType dtype, int rank) {
      DataType type = SqlTypes.element(dtype);
      for (int d = 0; d < rank; d++) {
        type = DataTypes.createArrayType(type);
      }
      return type;
    }

    @Override
    Object value(Tensor tensor) {
      return arrays(list(tensor));
    }

    @Override
    Object list(Tensor tensor) {
      return nested(tensor, 0, 0);
    }
  },
  SHAPED {
    @Override
    DataType type(DType dtype, int rank) {
      return DataTypes.createStructType(
          new StructField[] {
            DataTypes.createStructField(
                "shape", DataTypes.createArrayType(DataTypes.LongType), true),
            DataTypes.createStructField(
                "values", DataTypes.createArrayType(SqlTypes.element(dtype)), true)
          });
    }

    @Override
    Object value(Tensor tensor) {
      List<?> parts = (List<?>) list(tensor);
      return RowFactory.create(arrays(parts.get(0)), arrays(parts.get(1)));
    }

    @Override
    Object list(Tensor tensor) {
      List<Long> shape = LongStream.of(tensor.shape().dims()).boxed().toList();
      List<Object> values =
          IntStream.range(0, tensor.elements()).mapToObj(i -> element(tensor, i)).toList();
      return List.of(shape, values);
    }
  };

  abstract DataType type(DType dtype, int rank);

  /** Returns the tensor as a value of a {@link Row}. */
  abstract Object value(Tensor tensor);

  /** Returns the tensor as lists, for comparison with {@link #list(Object)}. */
  abstract Object list(Tensor tensor);

  /** Returns a Spark value as nested lists. */
  public static Object list(Object value) {
    if (value instanceof Seq<?> seq) {
      List<Object> all = new ArrayList<>();
      CollectionConverters.asJava(seq).forEach(each -> all.add(list(each)));
      return all;
    }
    if (value instanceof Row row) {
      return List.of(list(row.get(0)), list(row.get(1)));
    }
    return value;
  }

  private static Object nested(Tensor tensor, int level, int at) {
    if (level == tensor.shape().rank()) {
      return element(tensor, at);
    }
    List<Object> inner = new ArrayList<>();
    int step = (int) tensor.shape().from(level + 1).elements();
    for (int i = 0; i < tensor.shape().dim(level); i++) {
      inner.add(nested(tensor, level + 1, at + i * step));
    }
    return inner;
  }

  private static Object element(Tensor tensor, int i) {
    Object element = tensor.element(i);
    return switch (tensor.dtype()) {
      case INT8 -> ((Number) element).byteValue();
      case INT16 -> ((Number) element).shortValue();
      case INT32 -> ((Number) element).intValue();
      default -> element;
    };
  }

  private static Object arrays(Object value) {
    return value instanceof List<?> list ? list.stream().map(Held::arrays).toArray() : value;
  }
}
