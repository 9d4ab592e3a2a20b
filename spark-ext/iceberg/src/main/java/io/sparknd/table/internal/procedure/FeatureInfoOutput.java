/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.internal.feature.FeatureAxis;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** The result row of {@code info} for a feature table. */
final class FeatureInfoOutput {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "key_columns array<string>, variables array<string>, size bigint, rows bigint,"
              + " partitions string, snapshot bigint, blocks bigint, data_files bigint,"
              + " deletion_vectors bigint, bytes bigint");

  private FeatureInfoOutput() {}

  static Output show(FeatureTable table) {
    OptionalLong at = table.snapshot();
    StoredFeatures stored = (StoredFeatures) new OpenedTable.Features(table).stored();
    Collection<BlockFiles> blocks = stored.files(at.isPresent() ? at.getAsLong() : null).values();
    List<StoredFile> files = blocks.stream().flatMap(block -> block.files().stream()).toList();
    return new Output(
        SCHEMA,
        List.of(
            RowFactory.create(
                table.keyColumns().toArray(String[]::new),
                table.variables().toArray(String[]::new),
                stored.format().axis() instanceof FeatureAxis.Numbered numbered
                    ? numbered.size()
                    : null,
                blocks.stream().mapToLong(BlockFiles::liveRows).sum(),
                PartitionText.of(table.iceberg()),
                at.isPresent() ? at.getAsLong() : null,
                (long) blocks.size(),
                (long) files.size(),
                files.stream().mapToLong(file -> file.deletes().size()).sum(),
                blocks.stream().mapToLong(BlockFiles::bytes).sum())));
  }
}
