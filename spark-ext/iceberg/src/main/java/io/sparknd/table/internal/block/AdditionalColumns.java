/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTensor;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.spark.SparkUtil;
import org.apache.iceberg.spark.data.SparkParquetReaders;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Values of the columns that others added to a tensor's table, by slot. A row that is rewritten
 * keeps them; a new row has the defaults of the columns, or NULL. Iceberg's reader reads them: it
 * knows the values that rows have in files from before a column was added.
 */
final class AdditionalColumns {
  private final Schema schema;
  private final DataType[] types;
  private final @Nullable InternalRow[] rows;
  private final InternalRow absent;

  private AdditionalColumns(Schema schema, int count) {
    this.schema = schema;
    StructType sql = SparkSchemaUtil.convert(schema);
    this.types = List.of(sql.fields()).stream().map(f -> f.dataType()).toArray(DataType[]::new);
    this.rows = new InternalRow[schema.columns().isEmpty() ? 0 : count];
    this.absent = new GenericInternalRow(defaults(schema));
  }

  private static @Nullable Object[] defaults(Schema schema) {
    List<Types.NestedField> fields = schema.columns();
    @Nullable Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      Types.NestedField field = fields.get(i);
      values[i] =
          field.writeDefault() == null
              ? null
              : SparkUtil.internalToSpark(field.type(), field.writeDefault());
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
    try (CloseableIterable<InternalRow> all =
        Parquet.read(
                tensor.table().io().newInputFile(file.location(), file.data().fileSizeInBytes()))
            .project(schema)
            .createReaderFunc(message -> SparkParquetReaders.buildReader(schema, message))
            .build()) {
      Iterator<InternalRow> next = all.iterator();
      int position = 0;
      for (int i = 0; i < count; i++) {
        for (; position < positions[i]; position++) {
          next.next();
        }
        rows[slots[i]] = next.next().copy();
        position++;
      }
    } catch (IOException | RuntimeException e) {
      throw TableErrors.unreadableTableFile(file.location(), e);
    }
  }

  /** Returns a value in Spark's internal form; null for NULL. */
  @Nullable Object value(int column, int slot) {
    InternalRow row = rows[slot] == null ? absent : rows[slot];
    return row.isNullAt(column) ? null : row.get(column, types[column]);
  }
}
