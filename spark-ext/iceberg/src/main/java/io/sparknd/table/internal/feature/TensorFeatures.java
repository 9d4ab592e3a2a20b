/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.columnar.SliceWriter;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.file.ValueColumns;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyType;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.types.DataTypes;

/**
 * A tensor table as a feature table, for reads: the index columns are its key, and each value
 * column is a variable. Columns that others added are none.
 */
public final class TensorFeatures {
  private final StoredTensor tensor;
  private final RowFormat rows;

  private TensorFeatures(StoredTensor tensor) {
    this.tensor = tensor;
    this.rows = tensor.format().rows();
  }

  /** Returns the features that a tensor table holds. */
  public static StoredFeatures of(StoredTensor tensor) {
    TensorFeatures view = new TensorFeatures(tensor);
    FeatureFormat format = new FeatureFormat(view.axis(), view.columns());
    return new StoredFeatures(tensor.name(), tensor.table(), format, 0, tensor.checksums());
  }

  private FeatureAxis axis() {
    List<KeyColumn> keys =
        rows.schema().columns().stream()
            .limit(rows.indexColumns().size())
            .map(field -> new KeyColumn(field.name(), field.fieldId(), KeyType.LONG))
            .toList();
    return new FeatureAxis.Numbered(
        new KeyCodec(keys), rows.outer(), tensor.format().rowsPerBlock());
  }

  private List<FeatureColumn> columns() {
    List<Types.NestedField> fields =
        rows.schema().columns().stream().skip(rows.indexColumns().size()).toList();
    CellType type = type();
    return IntStream.range(0, fields.size()).mapToObj(i -> column(fields.get(i), type, i)).toList();
  }

  /** Returns the type of values: those of the dtype, or the bytes of a slice. */
  private CellType type() {
    if (rows.values() instanceof ValueColumns.BinaryColumn) {
      return new CellType.Elements(rows.dtype(), rows.slice(), DataTypes.BinaryType);
    }
    Shape cell = rows.values() instanceof ValueColumns.FeatureColumns ? Shape.of() : rows.slice();
    return new CellType.Elements(rows.dtype(), cell, SqlTypes.slice(rows.dtype(), cell.rank()));
  }

  private FeatureColumn column(Types.NestedField field, CellType type, int number) {
    Tensor fill = tensor.format().fill();
    int element = fill.elements() == 1 ? 0 : number;
    return new FeatureColumn(
        field.fieldId(),
        field.name(),
        type,
        fill.element(element).toString(),
        new SliceWriter(rows.dtype(), Shape.of())
            .value(fill.array(), element * rows.dtype().units()),
        null,
        List.of(),
        false,
        true,
        null);
  }
}
