/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.store.StoredFile;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * The files that a task wrote for one block, not committed yet.
 *
 * @param added new data files
 * @param replaced data files whose live rows are all in new files
 * @param vectors new deletion vectors
 * @param replacedVectors old deletion vectors that the new ones replace
 * @param deletions deletions whose vectors are not written yet
 * @param rows rows that were updated, or rewritten by a compaction
 * @param updates updates of these rows, duplicates included
 * @param late those of the updates that came after their tile was evicted
 */
public record BlockResult(
    long block,
    List<DataFile> added,
    List<StoredFile> replaced,
    List<DeleteFile> vectors,
    List<DeleteFile> replacedVectors,
    List<PendingDeletionVector> deletions,
    long rows,
    long updates,
    long late)
    implements Serializable {

  /** Returns the data files that the block's new deletion vectors apply to. */
  public List<String> referenced() {
    return vectors.stream().map(DeleteFile::referencedDataFile).distinct().toList();
  }

  /**
   * Returns the bytes of new data files and new deletion vectors; a vector counts its own bytes,
   * not those of the file that contains it.
   */
  public long bytes() {
    return added.stream().mapToLong(DataFile::fileSizeInBytes).sum()
        + vectors.stream().mapToLong(DeleteFile::contentSizeInBytes).sum();
  }

  /** Returns the number of files added and removed, deletion vectors included. */
  public long files() {
    return (long) added.size() + replaced.size() + vectors.size() + replacedVectors.size();
  }

  /** Returns a result whose deletion vectors are not written yet. */
  public static BlockResult of(
      long block,
      List<DataFile> added,
      List<StoredFile> replaced,
      List<PendingDeletionVector> deletions,
      long rows,
      long updates) {
    return new BlockResult(
        block, added, replaced, List.of(), List.of(), deletions, rows, updates, 0);
  }

  /** Returns a copy with the number of updates that came after their tile was evicted. */
  public BlockResult withLate(long updatesOfEvicted) {
    return new BlockResult(
        block,
        added,
        replaced,
        vectors,
        replacedVectors,
        deletions,
        rows,
        updates,
        updatesOfEvicted);
  }

  /**
   * Returns a copy in which the deletions are replaced by their vectors.
   *
   * @param written vectors by the data file that they apply to
   */
  BlockResult with(Map<String, DeleteFile> written) {
    return new BlockResult(
        block,
        added,
        replaced,
        deletions.stream().map(deletion -> written.get(deletion.file())).toList(),
        deletions.stream().flatMap(deletion -> deletion.replaced().stream()).toList(),
        List.of(),
        rows,
        updates,
        late);
  }

  /** Returns a copy that can be sent to another JVM. */
  BlockResult toSend() {
    return new BlockResult(
        block,
        added,
        replaced,
        vectors,
        replacedVectors,
        deletions.stream().map(PendingDeletionVector::toSend).toList(),
        rows,
        updates,
        late);
  }
}
