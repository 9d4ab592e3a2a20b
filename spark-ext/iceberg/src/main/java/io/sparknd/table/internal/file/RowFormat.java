/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The format of a table row: the index of a slice {@code shape[k:]}, then the slice.
 *
 * @param indexColumns k columns of bigint, outermost dimension first; {@code 1 <= k <= rank}
 */
public record RowFormat(DType dtype, Shape shape, List<String> indexColumns, ValueColumns values)
    implements Serializable {

  public RowFormat {
    indexColumns = List.copyOf(indexColumns);
  }

  /** Returns the dimensions that the index columns index into, {@code shape[:k]}. */
  public Shape outer() {
    return shape.first(indexColumns.size());
  }

  /** Returns the shape of a row's slice, {@code shape[k:]}. */
  public Shape slice() {
    return shape.from(indexColumns.size());
  }

  /** Returns the number of units of {@code dtype.storage()} in one row. */
  public int units() {
    return Math.toIntExact(slice().elements() * dtype.units());
  }

  /**
   * Returns the table's schema: index columns and value columns, all required. Field ids are those
   * that Iceberg assigns in a new table: top-level columns first, then nested fields.
   */
  public Schema schema() {
    Ids ids = new Ids();
    List<String> columns = new ArrayList<>(indexColumns);
    columns.addAll(values.names());
    int[] columnIds = columns.stream().mapToInt(column -> ids.next()).toArray();
    List<Types.NestedField> fields = new ArrayList<>();
    for (int i = 0; i < columnIds.length; i++) {
      Type type = i < indexColumns.size() ? Types.LongType.get() : valueType(ids);
      fields.add(Types.NestedField.required(columnIds[i], columns.get(i), type));
    }
    return new Schema(fields);
  }

  private Type valueType(Ids ids) {
    if (values instanceof ValueColumns.BinaryColumn) {
      return Types.BinaryType.get();
    }
    int levels = values instanceof ValueColumns.FeatureColumns ? 0 : slice().rank();
    return nested(levels, ids);
  }

  private Type nested(int levels, Ids ids) {
    return levels == 0
        ? element(ids)
        : Types.ListType.ofRequired(ids.next(), nested(levels - 1, ids));
  }

  /** Returns the narrowest Iceberg type that holds every value of the dtype. */
  private Type element(Ids ids) {
    return switch (dtype) {
      case BOOL -> Types.BooleanType.get();
      case INT8, INT16, INT32, UINT8, UINT16 -> Types.IntegerType.get();
      case INT64, UINT32 -> Types.LongType.get();
      case UINT64 -> Types.DecimalType.of(20, 0);
      case FLOAT16, BFLOAT16, FLOAT32 -> Types.FloatType.get();
      case FLOAT64 -> Types.DoubleType.get();
      case COMPLEX64 -> complex(Types.FloatType.get(), ids);
      case COMPLEX128 -> complex(Types.DoubleType.get(), ids);
      case STRING -> Types.StringType.get();
    };
  }

  private static Type complex(Type part, Ids ids) {
    return Types.StructType.of(
        Types.NestedField.required(ids.next(), "re", part),
        Types.NestedField.required(ids.next(), "im", part));
  }

  /** Generates field ids in ascending order. */
  private static final class Ids {
    private int last;

    int next() {
      return ++last;
    }
  }
}
