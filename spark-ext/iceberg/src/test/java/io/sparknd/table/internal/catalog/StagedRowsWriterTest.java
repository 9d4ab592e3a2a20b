/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.TestTables;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.iceberg.Table;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests the files of a stream's tasks. */
class StagedRowsWriterTest {

  /** Writers of one task have no file in common, so that none deletes that of another. */
  @Test
  void epochsOfOneTaskHaveFilesOfTheirOwn() throws Exception {
    Table table = TestTables.create(TensorSpec.of(DType.INT64, Shape.of(4))).iceberg();
    StagedRows rows = StagedRows.of("t", new StructType().add("views", "long"));
    String first = write(table, rows).location();
    StagedRowsWriter second = new StagedRowsWriter(table, rows, 0, 7);
    second.write(new GenericInternalRow(new Object[] {2L}));
    second.abort();
    assertThat(table.io().newInputFile(first).exists()).isTrue();
    assertThat(write(table, rows).location()).isNotEqualTo(first);
  }

  private static StagedRowsFile write(Table table, StagedRows rows) throws Exception {
    StagedRowsWriter writer = new StagedRowsWriter(table, rows, 0, 7);
    writer.write(new GenericInternalRow(new Object[] {1L}));
    return (StagedRowsFile) writer.commit();
  }
}
