/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.TableErrors;
import java.io.Serializable;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.RowLevelOperationMode;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.OutputFileFactory;
import org.jspecify.annotations.Nullable;

/** An Iceberg table whose rows SparkND reads and writes in blocks: groups of whole partitions. */
public interface StoredTable extends Serializable {

  /** Returns the full name with its catalog, quoted as in SQL. */
  String name();

  Table table();

  /** Returns the number of entries of a numbered axis; empty if the axis is labelled. */
  OptionalLong size();

  /**
   * Returns the files of a snapshot by block.
   *
   * @param snapshot null if there is none
   * @param blocks blocks whose files are returned; those of others may be omitted
   */
  Map<Long, BlockFiles> files(@Nullable Long snapshot, Iterable<Long> blocks);

  /**
   * Returns the files of a snapshot by block.
   *
   * @param snapshot null if there is none
   */
  Map<Long, BlockFiles> files(@Nullable Long snapshot);

  /**
   * Returns an Iceberg filter on columns of the current schema that all rows of the given blocks
   * pass; others may pass, too.
   */
  Expression spanning(Iterable<Long> blocks);

  /**
   * Creates the names of new files.
   *
   * @param partition partition of the task that writes them
   * @param operation operation id in the names of the commit's files
   */
  default OutputFileFactory newFiles(
      int partition, long attempt, String operation, FileFormat format) {
    return TableFileNames.newFiles(table(), partition, attempt, operation, format);
  }

  /**
   * Returns whether rows have ids that a rewrite must preserve, as in format version 3 and later.
   */
  default boolean keepsLineage() {
    return TableUtil.supportsRowLineage(table());
  }

  /**
   * Returns whether touched blocks are rewritten as a whole, without deletion vectors. This applies
   * to tables that request copy-on-write for {@code MERGE INTO}, and to tables of a format before
   * version 3.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table requests an unknown mode
   */
  default boolean writesWholeBlocks() {
    int firstWithVectors = 3;
    @Nullable String mode = table().properties().get(TableProperties.MERGE_MODE);
    try {
      return mode != null
              && RowLevelOperationMode.fromName(mode) == RowLevelOperationMode.COPY_ON_WRITE
          || TableUtil.formatVersion(table()) < firstWithVectors;
    } catch (IllegalArgumentException e) {
      throw TableErrors.badTableProperty(
          TableProperties.MERGE_MODE, String.valueOf(mode), "copy-on-write or merge-on-read");
    }
  }

  /**
   * Returns a snapshot; null if there is no id, for a table without rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if the snapshot has expired
   */
  default @Nullable Snapshot snapshotOf(OptionalLong id) {
    if (id.isEmpty()) {
      return null;
    }
    Snapshot found = table().snapshot(id.getAsLong());
    if (found == null) {
      throw TableErrors.noSuchSnapshot(name(), id.getAsLong());
    }
    return found;
  }

  /**
   * Returns whether the table's last loaded state has other columns than this object: values of new
   * ones would be lost.
   */
  boolean hasOtherColumns();

  /**
   * Returns whether the table's last loaded state has another partition spec than this object, by
   * which new files would be in the wrong partitions.
   */
  boolean hasOtherSpec();

  /**
   * Returns whether the table {@linkplain #hasOtherSpec has another spec}, or a snapshot has files
   * that do not fit its blocks, as after a rollback to fewer buckets.
   *
   * @param head the snapshot to commit to; null if there is none
   */
  boolean hasOtherPartitions(@Nullable Snapshot head);

  /**
   * Reloads the table's current state from the catalog.
   *
   * @throws io.sparknd.tensor.SparkNdException if the catalog fails, or has no such table
   */
  default void refresh() {
    TableRefresh.run(name(), table());
  }
}
