/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.IcebergParquet;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.store.StoredTensor;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Writes data files of a tensor table that others added columns to, by Iceberg's own writer. */
record WideFileWriter(StoredTensor tensor, TaskFiles files) {

  /**
   * Writes rows of one block to a new data file.
   *
   * @param rows offsets, ascending
   * @param lineage lineage by slot
   */
  DataFile write(
      long block,
      SortedRows rows,
      Object payload,
      RowLineage lineage,
      AdditionalColumns additional) {
    PartitionData partition = tensor.partition(block);
    EncryptedOutputFile file = files.newDataFile(partition);
    Schema schema = lineage.schema(tensor.table().schema());
    try {
      DataWriter<Record> writer =
          IcebergParquet.writeData(file.encryptingOutputFile())
              .forTable(tensor.table())
              .schema(schema)
              .withSpec(tensor.table().spec())
              .withPartition(partition)
              .withSortOrder(tensor.sortOrder())
              .createWriterFunc(message -> GenericParquetWriter.create(schema, message))
              .build();
      try (writer) {
        new RowAssembly(tensor.format().rows(), schema, payload, lineage, additional)
            .write(rows, writer);
      }
      return writer.toDataFile();
    } catch (IOException | RuntimeException e) {
      throw TableErrors.unwritableTableFile(file.encryptingOutputFile().location(), e);
    }
  }

  /** Puts rows together from the tensor's columns, those of others, and lineage. */
  private static final class RowAssembly {
    private final RowFormat format;
    private final RecordSlices slices;
    private final RowLineage lineage;
    private final AdditionalColumns additional;
    private final Schema schema;
    private final List<Types.NestedField> fields;
    private final int[] tensorColumns;
    private final int[] additionalColumns;

    RowAssembly(
        RowFormat format,
        Schema schema,
        Object payload,
        RowLineage lineage,
        AdditionalColumns additional) {
      this.format = format;
      this.slices = RecordSlices.of(format, payload);
      this.lineage = lineage;
      this.additional = additional;
      this.schema = schema;
      this.fields = schema.columns();
      this.tensorColumns = ordinals(format.schema().columns());
      this.additionalColumns = ordinals(additional.fields());
    }

    /** Returns the ordinal of each field in {@code columns}; -1 if it is not one of them. */
    private int[] ordinals(List<Types.NestedField> columns) {
      List<Integer> ids = columns.stream().map(Types.NestedField::fieldId).toList();
      return fields.stream().mapToInt(field -> ids.indexOf(field.fieldId())).toArray();
    }

    void write(SortedRows rows, DataWriter<Record> writer) {
      Record row = GenericRecord.create(schema);
      for (int i = 0; i < rows.count(); i++) {
        long[] index = format.outer().coordinates(rows.rows()[i]);
        for (int f = 0; f < fields.size(); f++) {
          row.set(f, value(f, index, rows.slots()[i]));
        }
        writer.write(row);
      }
    }

    private @Nullable Object value(int field, long[] index, int slot) {
      int column = tensorColumns[field];
      if (column >= 0) {
        return column < index.length ? index[column] : slices.value(column - index.length, slot);
      }
      return additionalColumns[field] >= 0
          ? additional.value(additionalColumns[field], slot)
          : lineage.value(fields.get(field), slot);
    }
  }
}
