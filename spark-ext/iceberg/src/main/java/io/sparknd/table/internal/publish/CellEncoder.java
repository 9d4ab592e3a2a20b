/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.cell.ElementCells;
import io.sparknd.table.publish.ValueFormat;
import io.sparknd.tensor.Storage;
import java.util.Objects;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Encodes cells in the form that {@link ValueFormat} describes. */
record CellEncoder(ValueFormat encoding) {

  /** Returns a present cell as bytes: of its elements, or of its text. */
  byte[] bytes(Cells cells, int slot) {
    if (encoding == ValueFormat.BYTES) {
      if (cells instanceof ElementCells elements && hasBytes(elements.type())) {
        return elements.bytes(slot);
      }
      Object value = Objects.requireNonNull(cells.value(slot));
      if (value instanceof byte[] bytes) {
        return bytes;
      }
      if (value instanceof UTF8String text) {
        return text.getBytes();
      }
      if (value instanceof Decimal decimal) {
        return RowText.utf8(decimal.toJavaBigDecimal().toPlainString());
      }
    }
    return RowText.utf8(json(cells, slot));
  }

  /** Returns whether cells of a type are encoded as bytes and not as text. */
  boolean isBinary(CellType type) {
    return encoding == ValueFormat.BYTES && hasBytes(type);
  }

  /** Returns whether cells of a type have bytes as one of their forms. */
  static boolean hasBytes(CellType type) {
    return type instanceof CellType.Elements elements
        && elements.dtype().storage() != Storage.STRING;
  }

  /** Returns a present cell as JSON. */
  static String json(Cells cells, int slot) {
    DataType type = cells.type().sql();
    return JsonValues.text(type, Objects.requireNonNull(cells.value(slot)));
  }
}
