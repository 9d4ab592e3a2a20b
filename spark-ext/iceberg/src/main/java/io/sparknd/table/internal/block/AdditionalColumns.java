/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.file.TableFile;
import io.sparknd.table.internal.store.FieldNames;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTensor;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericDataUtil;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Values of the columns that others added to a tensor table, by slot. A row that is rewritten keeps
 * them; a new row has the defaults of the columns, or NULL. Iceberg's reader reads them: it knows
 * the values that rows have in files from before a column was added.
 */
final class AdditionalColumns {
  private final Schema schema;
  private final @Nullable Record[] rows;
  private final Record absent;

  private AdditionalColumns(Schema schema, int count) {
    this.schema = schema;
    this.rows = new Record[schema.columns().isEmpty() ? 0 : count];
    this.absent = defaults(schema);
  }

  private static Record defaults(Schema schema) {
    Record values = GenericRecord.create(schema);
    for (int i = 0; i < schema.columns().size(); i++) {
      Types.NestedField field = schema.columns().get(i);
      if (field.writeDefault() != null) {
        values.set(i, GenericDataUtil.internalToGeneric(field.type(), field.writeDefault()));
      }
    }
    return values;
  }

  /** Returns the columns with {@code count} slots, all of new rows. */
  static AdditionalColumns of(StoredTensor tensor, int count) {
    return new AdditionalColumns(tensor.additionalColumns(), count);
  }

  /** Returns whether the table has no columns beside the tensor's. */
  boolean areNone() {
    return schema.columns().isEmpty();
  }

  List<Types.NestedField> fields() {
    return schema.columns();
  }

  /**
   * Reads rows of a file.
   *
   * @param positions positions of the rows in the file, ascending
   * @param slots their slots
   * @param count number of valid entries in both arrays
   */
  void read(StoredTensor tensor, StoredFile file, int[] positions, int[] slots, int count) {
    if (areNone() || count == 0) {
      return;
    }
    TableFile source = file.in(tensor);
    try (CloseableIterable<Record> all =
        Parquet.read(source.input())
            .project(schema)
            .withNameMapping(FieldNames.of(tensor.table()))
            .createReaderFunc(message -> GenericParquetReaders.buildReader(schema, message))
            .build()) {
      Iterator<Record> next = all.iterator();
      int position = 0;
      for (int i = 0; i < count; i++) {
        for (; position < positions[i]; position++) {
          next.next();
        }
        rows[slots[i]] = next.next();
        position++;
      }
    } catch (IOException | RuntimeException e) {
      throw source.failure(e);
    }
  }

  /** Returns a value as Iceberg's records have it; null for NULL. */
  @Nullable Object value(int column, int slot) {
    Record row = rows[slot];
    return (row == null ? absent : row).get(column);
  }
}
