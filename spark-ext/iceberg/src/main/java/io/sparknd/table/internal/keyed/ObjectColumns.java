/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.file.TableFile;
import io.sparknd.table.internal.store.FieldNames;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.spark.data.SparkParquetReaders;
import org.apache.iceberg.types.TypeUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Reads columns of any type by Iceberg's own reader, which knows defaults of added columns and
 * promoted types.
 */
record ObjectColumns(StoredFeatures table, StoredFile stored, List<FeatureColumn> columns) {

  /**
   * Reads rows.
   *
   * @param rows positions in the file, ascending
   * @param slots slots of the rows in the cells
   * @param target cells by column
   */
  void read(int[] rows, int[] slots, List<Cells> target) {
    Schema schema =
        TypeUtil.select(
            table.table().schema(),
            columns.stream().map(FeatureColumn::fieldId).collect(Collectors.toSet()));
    int[] ordinals = ordinals(schema);
    TableFile source = stored.in(table);
    try (CloseableIterable<InternalRow> all =
        Parquet.read(source.input())
            .project(schema)
            .withNameMapping(FieldNames.of(table.table()))
            .createReaderFunc(file -> SparkParquetReaders.buildReader(schema, file))
            .build()) {
      Iterator<InternalRow> next = all.iterator();
      int position = -1;
      InternalRow row = new GenericInternalRow(0);
      for (int i = 0; i < rows.length; i++) {
        while (position < rows[i]) {
          row = next.next();
          position++;
        }
        read(row, ordinals, slots[i], target);
      }
    } catch (SparkNdException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw source.failure(e);
    }
  }

  private int[] ordinals(Schema schema) {
    List<Integer> ids = schema.columns().stream().map(field -> field.fieldId()).toList();
    return columns.stream().mapToInt(column -> ids.indexOf(column.fieldId())).toArray();
  }

  private void read(InternalRow row, int[] ordinals, int slot, List<Cells> target) {
    for (int c = 0; c < ordinals.length; c++) {
      Cells cells = target.get(c);
      String problem = cells.read(row, ordinals[c], cells.type().sql(), slot);
      if (problem != null) {
        throw FeatureErrors.storedValue(stored.location(), columns.get(c).name(), problem);
      }
    }
  }
}
