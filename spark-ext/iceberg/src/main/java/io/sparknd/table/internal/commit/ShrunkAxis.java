/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.NumberedAxis;
import io.sparknd.table.internal.store.StoredTable;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Keeps rows out of a table whose numbered axis has become too small for them. */
final class ShrunkAxis {
  private ShrunkAxis() {}

  /**
   * Checks, before a commit is prepared, that the snapshot that it follows has no rows beyond the
   * table's size: the table may have been rolled back to a snapshot from before it shrank.
   *
   * @throws io.sparknd.tensor.SparkNdException if it has
   */
  static void requireWithin(StoredTable table, CommitTarget target) {
    @Nullable Snapshot head = target.head(table.table());
    NumberedAxis axis = NumberedAxis.of(table.table().properties()).orElse(null);
    if (head == null || axis == null || axis.sizeAt(head) == axis.size()) {
      return;
    }
    OptionalLong row =
        TableResize.firstRowBeyond(
            table.name(), table.table(), head.snapshotId(), axis.column(), axis.size());
    if (row.isPresent()) {
      throw TableErrors.rolledBackSize(
          table.name(), axis.size(), axis.column(), row.getAsLong(), axis.sizeAt(head));
    }
  }

  /**
   * Checks the rows of a commit against the size in the table's last loaded state.
   *
   * @throws io.sparknd.table.exceptions.CommitConflictException if the table shrank after the rows
   *     were prepared, and one of them is beyond its new size
   */
  static void requireWithin(StoredTable table, Collection<BlockResult> blocks) {
    OptionalLong size = tooSmall(table, blocks);
    if (size.isPresent()) {
      throw TableErrors.shrunkMeanwhile(table.name(), table.size().getAsLong(), size.getAsLong());
    }
  }

  /** Returns the table's size if rows of a commit are beyond it, or may be. */
  static OptionalLong tooSmall(StoredTable table, Collection<BlockResult> blocks) {
    Optional<NumberedAxis> axis = NumberedAxis.of(table.table().properties());
    if (axis.isEmpty() || table.size().isEmpty()) {
      return OptionalLong.empty();
    }
    long size = axis.get().size();
    Types.@Nullable NestedField column = table.table().schema().findField(axis.get().column());
    boolean isTooSmall =
        column != null // else others renamed it, and nothing is committed
            && size < table.size().getAsLong()
            && blocks.stream()
                .flatMap(block -> block.added().stream())
                .anyMatch(file -> mayHaveRowBeyond(file, column.fieldId(), size));
    return isTooSmall ? OptionalLong.of(size) : OptionalLong.empty();
  }

  /** Returns false only if the file's metrics exclude such rows. */
  private static boolean mayHaveRowBeyond(DataFile file, int column, long size) {
    Map<Integer, ByteBuffer> bounds = file.upperBounds();
    @Nullable ByteBuffer most = bounds == null ? null : bounds.get(column);
    return most == null || Conversions.<Long>fromByteBuffer(Types.LongType.get(), most) >= size;
  }
}
